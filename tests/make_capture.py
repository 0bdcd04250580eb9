#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the clockwise authors
# SPDX-License-Identifier: MIT
"""Makes the capture of the tests, and says which flow each packet belongs to,
from the flows it is made of and not by reading it.

usage: make_capture.py >tests/capture/flows.pcap
"""

import dataclasses
import ipaddress
import struct
import sys

ETHERNET, RAW, COOKED, COOKED2, NULL, LOOP = 1, 101, 113, 276, 0, 108
TCP, UDP, ICMP, ICMPV6, GRE = 6, 17, 1, 58, 47
IPV4, IPV6, EXPERIMENT = 0x0800, 0x86DD, 0x88B5


@dataclasses.dataclass(frozen=True)
class Flow:
    source: str
    destination: str
    source_port: int
    destination_port: int
    protocol: int

    def reversed(self):
        return Flow(self.destination, self.source, self.destination_port,
                    self.source_port, self.protocol)

    def without_ports(self):
        return Flow(self.source, self.destination, 0, 0, self.protocol)

    def is_v6(self):
        return ':' in self.source

    def ends(self):
        return [(ipaddress.ip_address(address).packed, port)
                for address, port in ((self.source, self.source_port),
                                      (self.destination,
                                       self.destination_port))]

    def key(self, is_symmetric=False):
        ends = sorted(self.ends()) if is_symmetric else self.ends()
        (a, a_port), (b, b_port) = ends
        return a + b + struct.pack('>HHB', a_port, b_port, self.protocol)


@dataclasses.dataclass
class Packet:
    what: str
    data: bytes  # from the IP header on
    flow: Flow | None  # None: too short or not IP
    type: int
    tags: bytes = b''
    captured: int | None = None  # bytes of `data`; None: all


def checksum(header):
    total = sum(struct.unpack('>%dH' % (len(header) // 2), header))
    total = (total & 0xFFFF) + (total >> 16)
    return ~((total & 0xFFFF) + (total >> 16)) & 0xFFFF


def ipv4(flow, payload, fragment=0, options=b'', protocol=None):
    (source, _), (destination, _) = flow.ends()
    words = 5 + len(options) // 4

    def header(check):
        return struct.pack('>BBHHHBBH', 0x40 | words, 0,
                           4 * words + len(payload), 7, fragment, 64,
                           flow.protocol if protocol is None else protocol,
                           check) + source + destination + options
    return header(checksum(header(0))) + payload


def ipv6(flow, payload, next_header=None):
    (source, _), (destination, _) = flow.ends()
    first = flow.protocol if next_header is None else next_header
    return struct.pack('>IHBB', 0x60012345, len(payload), first, 64) + \
        source + destination + payload


def ports(flow, size=12):
    """A transport header, as far as steering cares."""
    return struct.pack('>HHHH', flow.source_port, flow.destination_port,
                       8 + size, 0) + bytes(size)


def whole(flow, payload=None):
    make = ipv6 if flow.is_v6() else ipv4
    return make(flow, ports(flow) if payload is None else payload)


def plain(what, flow, data=None, **more):
    return Packet(what, whole(flow) if data is None else data, flow,
                  IPV6 if flow.is_v6() else IPV4, **more)


def flows():
    """Flows of TCP and UDP, of both IP versions."""
    for i in range(16):
        protocol = UDP if i % 2 else TCP
        yield Flow(f'10.1.{i}.{200 - i}', '192.0.2.1', 40000 + i, 443, protocol)
        yield Flow(f'2001:db8:{i + 1}::5', '2001:db8::1', 50000 + i, 53,
                   protocol)


def tagged_packets():
    tags = [b'', b'\x81\x00\x00\x05',
            b'\x88\xa8\x00\x09\x81\x00\x20\x05']
    for i, flow in enumerate(flows()):
        yield plain('there', flow, tags=tags[i % 3])
        yield plain('back', flow.reversed(), tags=tags[(i + 1) % 3])


def icmp_errors():
    """Each belongs with the packets that answer the one it quotes."""
    routers = Flow('203.0.113.7', '10.9.9.9', 0, 0, ICMP), \
        Flow('2001:db8:ff::7', '2001:db8:9::9', 0, 0, ICMPV6)
    for i, flow in enumerate(flows()):
        if flow.is_v6():
            error = bytes([1 + i % 4]) + bytes(7) + whole(flow)
            yield plain('error', flow.reversed(), whole(routers[1], error))
        else:
            # 8 bytes behind the header are all that must be quoted.
            kind = (3, 11, 12)[i % 3]
            error = bytes([kind]) + bytes(7) + whole(flow)[:28]
            yield plain('error', flow.reversed(), whole(routers[0], error))


def fragments():
    flow = Flow('10.2.0.1', '192.0.2.9', 777, 888, UDP)
    for field in (0x2000, 0x2003, 0x0006):
        payload = ports(flow, 16) if field == 0x2000 else bytes(24)
        yield plain('fragment', flow.without_ports(),
                    ipv4(flow, payload, field))
    flow = Flow('2001:db8:2::1', '2001:db8::9', 777, 888, UDP)
    for field in (0x0001, 0x0018):
        payload = ports(flow, 16) if field == 1 else bytes(24)
        header = struct.pack('>BBHI', UDP, 0, field, 99)
        yield plain('fragment', flow.without_ports(),
                    ipv6(flow, header + payload, 44))


def headers_between():
    flow = Flow('10.3.0.1', '192.0.2.3', 1111, 2222, TCP)
    yield plain('options', flow, ipv4(flow, ports(flow), options=bytes(8)))
    yield plain('whole', flow, ipv4(flow, ports(flow), 0x4000))
    flow = Flow('2001:db8:3::1', '2001:db8::3', 1111, 2222, TCP)
    hop = bytes([43, 0]) + bytes(6)
    routing = bytes([44, 2]) + bytes(22)
    atomic = struct.pack('>BBHI', 51, 0, 0, 5)
    authentication = bytes([60, 4]) + bytes(22)
    destination = bytes([TCP, 1]) + bytes(14)
    yield plain('extensions', flow,
                ipv6(flow, hop + routing + atomic + authentication +
                     destination + ports(flow), 0))
    yield plain('none', flow)


def without_ports():
    for flow, kinds in ((Flow('10.4.0.1', '192.0.2.4', 0, 0, ICMP), (8, 0)),
                        (Flow('2001:db8:4::1', '2001:db8::4', 0, 0, ICMPV6),
                         (128, 129))):
        for kind, one in zip(kinds, (flow, flow.reversed())):
            yield plain('echo', one, whole(one, bytes([kind]) + bytes(15)))
    yield plain('tunnel', Flow('10.5.0.1', '192.0.2.5', 0, 0, GRE))


def cut_short():
    v4 = Flow('10.6.0.1', '192.0.2.6', 3333, 4444, TCP)
    v6 = Flow('2001:db8:6::1', '2001:db8::6', 3333, 4444, TCP)
    yield plain('enough', v4, captured=24)
    yield plain('enough', v6, captured=44)
    for flow, sizes in (v4, (0, 1, 19, 20, 23)), (v6, (0, 39, 43)):
        for size in sizes:
            yield Packet('cut', whole(flow), None,
                         IPV6 if flow.is_v6() else IPV4, captured=size)
    # What follows is padding, not ports.
    yield Packet('short', ipv4(v4, b'ab') + bytes(24), None, IPV4)


def packets():
    for make in (tagged_packets, icmp_errors, fragments, headers_between,
                 without_ports, cut_short):
        yield from make()


def not_ip():
    """What would be read as IP if the link's header were not believed."""
    looks = Flow('10.7.0.1', '192.0.2.7', 5555, 6666, TCP)
    yield Packet('experiment', whole(looks), None, EXPERIMENT)


def link_header(packet, link):
    if link == ETHERNET:
        return b'\x02\0\0\0\0\1\x02\0\0\0\0\2' + packet.tags + \
            struct.pack('>H', packet.type)
    if link == COOKED:
        return struct.pack('>HHH8sH', 0, 1, 6, b'\x02\0\0\0\0\1', packet.type)
    if link == COOKED2:
        return struct.pack('>HHIHBB8s', packet.type, 0, 1, 1, 0, 6,
                           b'\x02\0\0\0\0\1')
    if link in (NULL, LOOP):
        family = {IPV4: 2, IPV6: 30, EXPERIMENT: 99}[packet.type]
        return struct.pack('<I' if link == NULL else '>I', family)
    return b''


def capture(link, chosen):
    """The bytes of a capture file."""
    out = struct.pack('<IHHiIII', 0xA1B2C3D4, 2, 4, 0, 0, 65535, link)
    for i, packet in enumerate(chosen):
        header = link_header(packet, link)
        data = header + packet.data[:packet.captured]
        out += struct.pack('<IIII', i, 0, len(data),
                           len(header) + len(packet.data)) + data
    return out


if __name__ == '__main__':
    sys.stdout.buffer.write(capture(ETHERNET, [*packets(), *not_ip()]))
