-- SPDX-License-Identifier: MIT
-- Seeks of real guests: the event records of a MONWRITE file, with what D1R3 says to be lost, are as many
-- as the volume itself counted between the samples of START and STOP; with a large and a small partition.
local monitor = require "monitor"
local system = require "system"
local tap = require "tap"

local function storm(partition, block)
    local folder = system.temporary_folder()
    local sys <close> = system.new { mips = 20, config = [[
System_Identifier * * SEEKS
Processors 2 IFL
RDevice 0200 Type DASD Volume VOL200 Cylinders 200
]], directory = [[
USER OPERATOR OPERATOR 32M 32M ABCDEFG
USER DISKA X 16M 16M G
 CONSOLE 0009 3215 T
 MDISK 0191 3390 1 10 VOL200 MR
USER DISKB X 16M 16M G
 CONSOLE 0009 3215 T
 MDISK 0191 3390 150 10 VOL200 MR
USER WRITER X 64M 64M EG
 IUCV *MONITOR MSGLIMIT 255
 NAMESAVE MONDCSS
 CONSOLE 0009 3215 T
]] }
    sys:monwrite_folder(folder)
    for _, line in ipairs { "XAUTOLOG WRITER", "XAUTOLOG DISKA", "XAUTOLOG DISKB",
        "MONITOR SAMPLE ENABLE I/O ALL", "MONITOR EVENT ENABLE SEEKS ALL",
        "MONITOR SAMPLE INTERVAL 60 SECONDS" } do
        sys:cp(line)
    end
    sys:cp("IPL MONWRITE PARM MONDCSS *MONITOR DISK SEEKS DATA", "WRITER")
    sys:cp("IPL DASDIO PARM n=100000 tracks=100", "DISKA")
    sys:cp("IPL DASDIO PARM n=100000 tracks=100", "DISKB")
    sys:sleep(1)
    sys:cp(("MONITOR START BLOCK %d PARTITION %d"):format(block, partition))
    sys:sleep(30)
    sys:cp "MONITOR STOP"
    sys:cp "SEND WRITER MONWSTOP"
    sys:sleep(1)
    local events, lost, first, last = 0, 0, nil, nil
    local path = folder .. "/WRITER/SEEKS.DATA"
    tap.is(monitor.read(path, function(record)
        if record.domain == 7 then
            events = events + 1
        elseif record.domain == 1 and record.record == 3 then
            lost = lost + record:get "LOSTRCCT"
        elseif record.domain == 6 and record.record == 3 then
            last = record:get "RDEVSKCT"
            first = first or last
        end
    end), true, "the file is whole")
    os.execute(("rm -r '%s'"):format(folder))
    tap.ok(last - first > 1000, "many seeks", last - first)
    tap.is(events + lost, last - first, ("partition of %d: %d delivered, %d lost"):format(partition, events, lost))
end

storm(8192, 4)
storm(72, 2)
