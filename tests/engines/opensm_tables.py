# SPDX-License-Identifier: BSD-3-Clause
"""OpenSM 3.3.23's tables of minhop, updn and dnup, slowly, from the text of ibnetdiscover.

tests/ib/opensm_tables.bats compares the real OpenSM with the engines; this holds them to the same rules without it.
An entry is named (switch GUID, port GUID of the destination, number of its address), so LIDs play no part.
"""
import collections
import re


class Fabric:
    def __init__(self, text):
        self.guid, self.system, self.link, self.end, self.ports = {}, {}, {}, {}, {}
        system = 0
        for line in text.splitlines():
            if found := re.match(r"sysimgguid=0x(\w+)", line):
                system = int(found[1], 16)
            elif found := re.match(r"(?:switch|ca|rt)guid=0x(\w+)(?:\((\w+)\))?", line):
                guid, own = int(found[1], 16), int(found[2] or found[1], 16)
            elif found := re.match(r'(Switch|Ca|Hca|Rt)\s+\d+ "([^"]+)"', line):
                here, is_switch = found[2], found[1] == "Switch"
                self.guid[here], self.system[here], system = guid, system, 0
                if is_switch:
                    self.ports[here], self.end[here, 0] = [], own
            elif found := re.match(r'\[(\d+)\](?:\((\w+)\))?\s+"([^"]+)"\[(\d+)\]', line):
                self.link[here, int(found[1])] = (found[3], int(found[4]))
                if is_switch:
                    self.ports[here].append(int(found[1]))
                else:
                    self.end[here, int(found[1])] = int(found[2], 16)
        # The map compares GUIDs in network byte order as numbers of a little-endian machine.
        self.switches = sorted(self.ports, key=lambda s: self.guid[s].to_bytes(8, "big")[::-1])
        far = {s: {p: self.link[s, p][0] for p in sorted(ports)} for s, ports in self.ports.items()}
        self.hosts = {s: [p for p, n in far[s].items() if n not in self.ports] for s in far}
        self.cables = {s: [p for p, n in far[s].items() if n in self.ports and n != s] for s in far}

    def distances(self, sources):
        far, queue = dict.fromkeys(sources, 0), list(sources)
        for s in queue:
            for p in self.cables[s]:
                n = self.link[s, p][0]
                if n not in far:
                    far[n] = far[s] + 1
                    queue.append(n)
        return far


def minhop(fabric):
    """hops[destination][switch][port]"""
    result = {}
    for d in fabric.switches:
        far = fabric.distances([d])
        result[d] = {s: {p: far[fabric.link[s, p][0]] + 1 for p in fabric.cables[s]} for s in far}
    return result


def find_roots(fabric):
    total, roots = sum(map(len, fabric.hosts.values())), []
    for s in fabric.switches:
        bars = collections.Counter()
        for leaf, hops in fabric.distances([s]).items():
            bars[hops] += len(fabric.hosts[leaf])
        if [sum(bar > total * share for bar in bars.values()) for share in (.9, .05)] == [1, 1]:
            roots.append(s)
    return roots


def search(fabric, first, step, forbidden):
    result = {}
    for d in fabric.switches:
        hops, least, way = {s: {} for s in fabric.switches}, {d: 0}, {d: first}
        queue, waiting = collections.deque([d]), set()
        while queue:
            u = queue.popleft()
            waiting.discard(u)
            for p in fabric.cables[u]:
                v, back = fabric.link[u, p]
                if (way[u], step(u, v)) == forbidden or least[u] + 1 >= hops[v].get(back, 255):
                    continue
                hops[v][back] = least[u] + 1
                least[v] = min(least.get(v, 255), least[u] + 1)
                if v not in waiting:
                    way[v] = step(u, v)
                    waiting.add(v)
                    queue.append(v)
        result[d] = {s: hops[s] for s in least}
    return result


def updn(fabric, roots=None):
    rank = fabric.distances(roots or find_roots(fabric))
    if not rank:
        return None  # OpenSM runs minhop

    def step(u, v):
        if rank[u] != rank[v]:
            return "down" if rank[u] < rank[v] else "up"
        return "up" if rank[u] == 0 or fabric.guid[u] > fabric.guid[v] else "down"
    return search(fabric, "up", step, ("down", "up"))


def dnup(fabric):
    rank = fabric.distances([s for s in fabric.switches if fabric.hosts[s]])
    return search(fabric, "down", lambda u, v: "level" if rank[u] == rank[v] else "down" if rank[u] < rank[v] else "up",
                  ("up", "down"))


def choose(fabric, s, ports, count, used):
    """A port for the next address, if the earlier ones passed the neighbours in `used` so often."""
    passed = {fabric.system[n] for n in used}
    fresh = [p for p in ports if fabric.system[fabric.link[s, p][0]] not in passed]
    fresh = fresh or [p for p in ports if fabric.link[s, p][0] not in used]
    if fresh:
        return min(fresh, key=lambda p: count[p])
    low = fewest = 1 << 30
    for p in ports:
        uses = used[fabric.link[s, p][0]]
        if count[p] < low:
            best, low, fewest = p, count[p], min(fewest, uses)
        elif count[p] == low and uses < fewest:
            best, fewest = p, uses
    return best


def tables(fabric, hops, lmc=0):
    order = [(leaf, fabric.link[leaf, p]) for leaf in sorted(fabric.switches, key=lambda s: -len(fabric.hosts[s]))
             for p in fabric.hosts[leaf]]
    own = [(s, (s, 0)) for s in fabric.switches]
    result = {}
    for s in fabric.switches:
        count, used = collections.Counter(), collections.defaultdict(collections.Counter)
        for number in range(1 << lmc):
            for leaf, end in order + (own if number == 0 else []):
                name = (fabric.guid[s], fabric.end[end])
                if leaf == s:
                    result[*name, number] = fabric.link[end][1] if end[1] else 0
                elif s in hops[leaf]:
                    far = hops[leaf][s]
                    ports = [p for p in sorted(far) if far[p] == min(far.values())]
                    if number:
                        ports.sort(key=lambda p: p <= result[*name, number - 1])  # stable
                    port = result[*name, number] = choose(fabric, s, ports, count, used[end])
                    if end[1]:
                        count[port] += 1
                        used[end][fabric.link[s, port][0]] += 1
    return result


def entries_of(dump):
    """The same entries from a dump of tables, with `portguid` in each line."""
    result, number = {}, collections.Counter()
    for line in dump.splitlines():
        if found := re.match(r"Unicast lids .* guid 0x(\w+)", line):
            switch = int(found[1], 16)
        elif found := re.match(r"0x\w+ (\d+) .*portguid 0x(\w+)", line):
            name = (switch, int(found[2], 16))
            if found[1] != "255":
                result[*name, number[name]] = int(found[1])
            number[name] += 1
    return result
