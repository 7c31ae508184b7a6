# File created at : x
-------
Port=1 Lid=0x0005 GUID=0x0020000000000000 Device=54002 Port Name=a/P1
-------
port_xmit_data_extended=0x00000045a9712343
port_looping_errors=NA
# File closed at : y
