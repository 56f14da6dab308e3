#!/usr/bin/python3
# Prints a file on a printer application, in two parts: the second one when a file "go" is there; if
# the file "leave" is there, it goes away instead.  Prints the status of the response.
#
#	pappl-slow.py PORT FILE BYTES FOLDER
import http.client
import os
import struct
import sys
import time

port, name, first, folder = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]


def attribute(tag, key, value):
    return struct.pack(">BH", tag, len(key)) + key + struct.pack(">H", len(value)) + value


request = struct.pack(">BBHI", 2, 0, 2, 1) + b"\1" + b"".join(attribute(*a) for a in (
    (0x47, b"attributes-charset", b"utf-8"), (0x48, b"attributes-natural-language", b"en"),
    (0x45, b"printer-uri", b"ipp://localhost/ipp/print/laser"),
    (0x42, b"requesting-user-name", b"me"),
    (0x49, b"document-format", b"image/pwg-raster"))) + b"\3"
with open(name, "rb") as file:
    data = file.read()
connection = http.client.HTTPConnection("localhost", port, timeout=60)


def send(part):
    connection.send(b"%x\r\n%s\r\n" % (len(part), part))


connection.putrequest("POST", "/ipp/print/laser")
connection.putheader("Content-Type", "application/ipp")
connection.putheader("Transfer-Encoding", "chunked")
connection.endheaders()
send(request)
send(data[:first])
while not os.path.exists(folder + "/go"):
    if os.path.exists(folder + "/leave"):
        connection.close()
        sys.exit()
    time.sleep(0.02)
send(data[first:])
connection.send(b"0\r\n\r\n")
response = connection.getresponse()
print("%04x" % struct.unpack(">H", response.read()[2:4]))
