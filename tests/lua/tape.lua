-- SPDX-License-Identifier: MIT
-- Real tape drives: defined in SYSTEM CONFIG, given to users, taken back.
local system = require "system"
local tap = require "tap"

local folder = system.temporary_folder()
local sys <close> = system.new { config = ([[
System_Identifier * * TAPES
Processors 1 IFL
RDevice 0580 Type TAPE Image %s/vol1.aws
RDevice 0581 Type TAPE
]]):format(folder), directory = [[
USER OPERATOR OPERATOR 32M 32M ABCDEFG
USER HOLDER X 16M 16M G
 CONSOLE 0009 3215 T
USER WITHTAPE X 16M 16M G
 CONSOLE 0009 3215 T
 DEDICATE 0182 0581
]] }

local function says(line, expected, user)
    tap.contains(sys:cp(line, user).text, expected, line)
end

local function refused(line, expected)
    tap.raises(function()
        sys:cp(line)
    end, expected, line .. " is refused")
end

sys:cp "XAUTOLOG HOLDER"
says("QUERY TAPES ALL", "TAPE 0580 FREE")
says("ATTACH 580 HOLDER 181", "TAPE 0580 ATTACHED TO HOLDER 0181")
says("QUERY 580", "TAPE 0580 ATTACHED TO HOLDER   0181 R/W")
says("QUERY VIRTUAL TAPES", "TAPE 0181 ON DEV  0580 3490 R/W SUBCHANNEL = 0001", "HOLDER")
refused("ATTACH 580 *", "HCPATR122E TAPE 0580 already attached to HOLDER")
refused("ATTACH 581 HOLDER 181", "TAPE 0181 not defined; device already defined")
refused("ATTACH 581 SYSTEM", "HCPCMD006E Invalid device type - TAPE")
refused("VARY OFFLINE 580", "Device 0580 in use")
refused("DETACH 581 FROM HOLDER", "0581")
says("DETACH 580 FROM HOLDER", "TAPE 0580 DETACHED BY OPERATOR")
says("QUERY 580", "TAPE 0580 FREE")
says("ATTACH 580 HOLDER", "TAPE 0580 ATTACHED TO HOLDER 0580")
says("DETACH 580", "TAPE 0580 DETACHED", "HOLDER")
says("ATTACH 580 HOLDER 181", "ATTACHED")
sys:cp "FORCE HOLDER"
sys:sleep(1)
says("QUERY 580", "TAPE 0580 FREE")
sys:cp "XAUTOLOG WITHTAPE" -- by its directory entry
says("QUERY 581", "TAPE 0581 ATTACHED TO WITHTAPE 0182 R/W")
tap.ok(io.open(folder .. "/vol1.aws"), "the tape is a file")
tap.ok(os.execute(("rm -r '%s'"):format(folder)), "the folder goes")
