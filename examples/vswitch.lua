-- SPDX-License-Identifier: MIT
-- The published VSWITCH test case: two switches, grants, virtual NICs, couples; frames between
-- guests that are coupled, and nothing for those who are not granted or on another VLAN.
--
--   endicott run examples/vswitch.lua
local system = require "system"
local tap = require "tap"

local users = { "DTCVSW1" }
for i = 80, 91 do
    users[#users + 1] = ("LNX%05d"):format(i)
end

local function make_directory()
    local lines = { [[
USER OPERATOR OPERATOR 32M 32M ABCDEFG
 MACHINE ESA
 CONSOLE 0009 3215 T
]] }
    for _, name in ipairs(users) do
        lines[#lines + 1] = ("USER %s %s 32M 32M G\n MACHINE ESA\n CONSOLE 0009 3215 T\n"):format(name, name)
    end
    return table.concat(lines)
end

local sys <close> = system.new { directory = make_directory() }

-- Exactly as published; the DEF commands are one line each.
local published = {
    "DEF VSWITCH testsw1 RDEV none CONNECT VLAN 1 PORTTYPE ACCESS CONTROLLER DTCVSW1 " ..
        "PRIROUTER PORTNAME PORT30",
    "SET VSWITCH testsw1 GRANT DTCVSW1 vlan 1",
    "SET VSWITCH testsw1 GRANT LNX00085 vlan 1",
    "SET VSWITCH testsw1 GRANT LNX00090 vlan 1",
    "SET VSWITCH testsw1 GRANT LNX00091 vlan 1",
    "DEF VSWITCH testsw2 RDEV none CONNECT VLAN 2 PORTTYPE ACCESS CONTROLLER DTCVSW1 " ..
        "PRIROUTER PORTNAME PORT30",
    "SET VSWITCH testsw2 GRANT DTCVSW1 vlan 2",
    "SET VSWITCH testsw2 GRANT LNX00080 vlan 2",
    "SET VSWITCH testsw2 GRANT LNX00081 vlan 2",
    "SET VSWITCH testsw2 GRANT LNX00082 vlan 2",
    "SET VSWITCH testsw2 GRANT LNX00083 vlan 2",
    "SET VSWITCH testsw2 GRANT LNX00084 vlan 2",
    "SET VSWITCH testsw2 GRANT LNX00086 vlan 2",
    "SET VSWITCH testsw2 GRANT LNX00090 vlan 2",
}
for _, line in ipairs(published) do
    local response = sys:try(line)
    tap.is(response.rc, 0, line)
    tap.contains(response.text, line:find("^DEF") and "is created" or "Command complete", "  and its answer")
end

-- Each guest has a console of its own, so that what it prints can be seen.
local consoles = {}
for _, name in ipairs { "LNX00085", "LNX00090", "LNX00091", "LNX00080", "LNX00086" } do
    consoles[name] = sys:console { user = name }
end

local function guest(name, line, expected)
    local response = sys:try(line, name)
    tap.is(response.rc, 0, ("%s: %s"):format(name, line))
    if expected then
        tap.contains(response.text, expected, "  and its answer")
    end
end

for _, name in ipairs { "LNX00085", "LNX00090", "LNX00091" } do
    guest(name, "DEFINE NIC 6200 QDIO", "NIC 6200 is created; devices 6200-6202 defined")
    guest(name, "COUPLE 6200 TO SYSTEM testsw1", "NIC 6200 is connected to VSWITCH SYSTEM TESTSW1")
end
guest("LNX00090", "DEFINE NIC 6203 QDIO", "NIC 6203 is created; devices 6203-6205 defined")
guest("LNX00090", "COUPLE 6203 TO SYSTEM testsw2", "NIC 6203 is connected to VSWITCH SYSTEM TESTSW2")
guest("LNX00080", "DEFINE NIC 6203 QDIO")
guest("LNX00080", "COUPLE 6203 TO SYSTEM testsw2")

-- What the system says of it.
local switch = sys:cp("QUERY VSWITCH TESTSW1")
tap.contains(switch.text, "VSWITCH SYSTEM TESTSW1", "QUERY VSWITCH names the switch")
tap.contains(switch.text, "Connected: 3", "  and three connections")
tap.contains(switch.text, "PRIROUTER", "  and the router option")
tap.contains(switch.text, "Default VLAN: 0001", "  and its default VLAN")
local access = sys:cp("QUERY VSWITCH TESTSW1 ACCESSLIST").text
for _, name in ipairs { "DTCVSW1", "LNX00085", "LNX00090", "LNX00091" } do
    tap.contains(access, name, "the access list has " .. name)
end
tap.ok(not access:find("LNX00080", 1, true), "  and not LNX00080")
local nic = sys:cp("QUERY NIC 6200 DETAILS", "LNX00085").text
tap.contains(nic, "VSWITCH: SYSTEM TESTSW1", "QUERY NIC names the switch")
tap.contains(nic, "MAC:", "  and the MAC address")

-- Frames. `sender` asks `n` times; how many answers it got.
local function ping(sender, vdev, n)
    local console = consoles[sender]:from_now()
    sys:cp(("IPL PING PARM nic=%s n=%d wait=50ms"):format(vdev, n), sender)
    return console:expect(("%d sent, "):format(n), 30):match("(%d+) answered")
end

sys:cp("IPL NETECHO PARM nic=6200", "LNX00091")
sys:cp("IPL NETECHO PARM nic=6203", "LNX00090")
sys:sleep(1)
tap.is(ping("LNX00085", "6200", 20), "20", "frames go both ways on TESTSW1")
tap.is(ping("LNX00080", "6203", 20), "20", "frames go both ways on TESTSW2")

local counted = sys:cp("QUERY VSWITCH TESTSW1 DETAILS").text
tap.ok(counted:match("Adapter Owner: LNX00085.-TX Packets: (%d+)") == "20", "its port counts 20 frames sent",
    counted)

-- Not granted: no connection at all.
guest("LNX00086", "DEFINE NIC 6200 QDIO")
local refused = sys:try("COUPLE 6200 TO SYSTEM testsw1", "LNX00086")
tap.is(refused.rc, 6011, "COUPLE without a grant: return code")
tap.contains(refused.text, "You are not authorized to COUPLE to SYSTEM TESTSW1", "  and message 6011")
tap.is(ping("LNX00086", "6200", 3), "0", "  and no frame arrives")

-- Granted for another VLAN: connected, but alone there.
sys:cp("SET VSWITCH testsw1 GRANT LNX00086 VLAN 7")
guest("LNX00086", "COUPLE 6200 TO SYSTEM testsw1")
tap.is(ping("LNX00086", "6200", 3), "0", "on VLAN 7 nobody of VLAN 1 answers")
sys:cp("SET VSWITCH testsw1 GRANT LNX00086 VLAN 1")
guest("LNX00086", "UNCOUPLE 6200", "NIC 6200 is disconnected from VSWITCH SYSTEM TESTSW1")
guest("LNX00086", "COUPLE 6200 TO SYSTEM testsw1")
tap.is(ping("LNX00086", "6200", 3), "3", "  and on VLAN 1 they do")

-- Wrong ones.
for line, rc in pairs {
    ["COUPLE 6200 TO SYSTEM nosuch"] = 2783,
    ["COUPLE 7000 TO SYSTEM testsw1"] = 40,
} do
    tap.is(sys:try(line, "LNX00086").rc, rc, ("%s: return code %d"):format(line, rc))
end
tap.is(sys:try("DEF VSWITCH testsw1").rc, 2788, "a second switch of that name is refused")

for _, console in pairs(consoles) do
    console:close()
end
