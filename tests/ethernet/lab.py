# SPDX-License-Identifier: BSD-3-Clause
"""A fabric of Ethernet switches on this machine: each is a network namespace of Linux with FRR's zebra and bgpd, each
cable a pair of virtual ports. The configuration is what `fatwood route FABRIC ecmp --out-frr DIR` writes.

It is a test with a real implementation of BGP and of forwarding. It is no real fabric: there are no hosts, no queues
and no pauses.

No test goes by the clock: `until` waits for what a test expects; its limit only ends a test that would wait for ever.
"""
import csv
import json
import os
import re
import shutil
import subprocess
import tempfile
import time

FRR = "/usr/lib/frr"
LIMIT = 300  # seconds
SKIPPED = 77
RATE = 0.1  # seconds between two looks


def fatwood(*words, check=True):
    """Standard output."""
    result = subprocess.run([os.environ["FATWOOD"], *words], capture_output=True, text=True, check=False)
    if check and result.returncode != 0:
        raise AssertionError(f"fatwood {' '.join(words)}: {result.stderr}{result.stdout}")
    return result.stdout


def missing():
    """Why there can be no lab; empty if there can."""
    if os.geteuid() != 0:
        return "needs root: network namespaces"
    for program in (f"{FRR}/zebra", f"{FRR}/bgpd"):
        if not os.path.exists(program):
            return f"{program} is not installed (package frr)"
    if shutil.which("ip") is None:
        return "ip is not installed (package iproute2)"
    name = f"fw{os.getpid()}-probe"
    if subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False).returncode != 0:
        return "this machine has no network namespaces"
    probe = subprocess.run(["ip", "-n", name, "link", "add", "swp1", "type", "veth", "peer", "name", "swp2"],
                           capture_output=True, check=False)
    subprocess.run(["ip", "netns", "del", name], check=False)
    return "" if probe.returncode == 0 else "this machine has no virtual ports (veth)"


def until(what, test):
    """Repeats test() until it returns something true."""
    end = time.monotonic() + LIMIT
    while True:
        result = test()
        if result:
            return result
        if time.monotonic() > end:
            raise AssertionError(f"not after {LIMIT} s: {what}")
        time.sleep(RATE)


def predicted(folder):
    """The routes of `--out-ip-route`: by switch and prefix, the set of ports."""
    routes = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name, "routes")
        if not os.path.exists(path):
            continue
        routes[name] = {}
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                found = re.match(r"ip route replace (\S+) proto static (.*)", line)
                if found:
                    routes[name][found[1]] = frozenset(re.findall(r"dev (\S+)", found[2]))
    return routes


class Lab:
    """Starts at once; `stop` ends everything that it started. With `engine`, the routes of that engine are set by the
    commands of `--out-ip-route`, without FRR."""

    def __init__(self, fabric, *options, engine=None):
        self.fabric = [fabric, *options]
        self.folder = tempfile.mkdtemp(prefix="fatwood-lab-")
        os.chmod(self.folder, 0o755)  # daemons look at it under another name
        self.config = os.path.join(self.folder, "config")
        self.programs = []
        self.protocol = "static" if engine else "bgp"
        fatwood("route", *self.fabric, engine or "ecmp", "--out-ip-route" if engine else "--out-frr", self.config)
        with open(os.path.join(self.config, "addresses.csv"), encoding="utf-8") as lines:
            self.addresses = list(csv.DictReader(lines))
        self.switches = [row["name"] for row in self.addresses if row["kind"] == "switch"]
        self.prefixes = {row["name"]: row["address"] for row in self.addresses if row["kind"] == "prefix"}
        self.loopbacks = {row["name"]: row["address"] for row in self.addresses if row["kind"] == "switch"}
        self.cables = {}  # (switch, port): the other end
        for name in self.switches:
            with open(os.path.join(self.config, name, "interfaces"), encoding="utf-8") as lines:
                for port, other, other_port in re.findall(r"ip link set (\S+) up # to (\S+)\[(\S+)\]", lines.read()):
                    self.cables[name, port] = (other, other_port)
            if not engine:
                self._hurry(os.path.join(self.config, name, "frr.conf"))
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    def space(self, name):
        """The name of its namespace."""
        return f"fw{os.getpid()}-{name}"

    @staticmethod
    def _hurry(path):
        """Shorter timers than those of FRR's defaults: they change when routes come, not which."""
        with open(path, encoding="utf-8") as file:
            text = file.read()
        text = re.sub(r"( no ipv6 nd suppress-ra\n)", r"\1 ipv6 nd ra-interval 1\n", text)
        text = re.sub(r"( neighbor (\S+) interface .*\n)", r"\1 neighbor \2 timers connect 1\n", text)
        # A session ends when its cable goes, not when a busy machine answers late.
        text = re.sub(r" timers bgp .*\n", "", text)
        text = text.replace(" bgp bestpath", " timers bgp 1 60\n bgp bestpath")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def _start(self):
        self._batch("".join(f"netns add {self.space(name)}\n" for name in self.switches))
        self._batch("".join(
            f"link add {port} netns {self.space(name)} type veth peer name {other_port} netns {self.space(other)}\n"
            for (name, port), (other, other_port) in self.cables.items() if (name, port) < (other, other_port)))
        for name in self.switches:
            self.run(name, "sh", "-e", os.path.join(self.config, name, "interfaces"))
        if self.protocol == "static":
            for name in self.switches:
                self.run(name, "sh", "-e", os.path.join(self.config, name, "routes"))
            return
        for name in self.switches:
            self._daemon(name, "zebra")
        for name in self.switches:
            until(f"zebra of {name}", lambda name=name: self._runs("zebra") and
                  os.path.exists(self._file(name, "zebra.sock")))
            self._daemon(name, "bgpd")

    def _file(self, name, file):
        return os.path.join(self.folder, name, file)

    def _daemon(self, name, program):
        os.makedirs(os.path.join(self.folder, name), exist_ok=True)
        shutil.chown(os.path.join(self.folder, name), "frr")  # daemons give up root
        with open(self._file(name, f"{program}.log"), "w", encoding="utf-8") as log:
            self.programs.append(subprocess.Popen(
                ["ip", "netns", "exec", self.space(name), f"{FRR}/{program}",
                 "-f", os.path.join(self.config, name, "frr.conf"), "-z", self._file(name, "zebra.sock"),
                 "--vty_socket", os.path.join(self.folder, name), "-i", self._file(name, f"{program}.pid"),
                 "--log", "stdout"], stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    def _runs(self, what):
        """True; an error if a program has ended."""
        for program in self.programs:
            if program.poll() is not None:
                raise AssertionError(f"{what} has ended: {' '.join(program.args)}")
        return True

    @staticmethod
    def _batch(lines):
        subprocess.run(["ip", "-batch", "-"], input=lines, text=True, check=True, capture_output=True)

    def run(self, name, *words):
        """Runs a program on a switch."""
        return subprocess.run(["ip", "netns", "exec", self.space(name), *words], text=True, check=True,
                              capture_output=True).stdout

    def ip(self, name, *words):
        """What `ip` prints there, in JSON."""
        return subprocess.run(["ip", "-n", self.space(name), "-j", *words], text=True, check=True,
                              capture_output=True).stdout

    def hops(self, name):
        """The kernel's routes that BGP gave, or the commands: by prefix, the ports in the order of the group."""
        objects = {one["id"]: one for one in json.loads(self.ip(name, "nexthop") or "[]")}
        found = {}
        for route in json.loads(self.ip(name, "route") or "[]"):
            if route.get("protocol") != self.protocol:
                continue
            prefix = route["dst"] if "/" in route["dst"] else route["dst"] + "/32"
            if "nhid" in route:
                one = objects.get(route["nhid"], {})
                members = [objects.get(part["id"], {}) for part in one["group"]] if "group" in one else [one]
            else:
                members = route.get("nexthops", [route])
            found[prefix] = [hop.get("dev") for hop in members]
        return found

    def routes(self, name):
        """The same without order."""
        return {prefix: frozenset(hops) for prefix, hops in self.hops(name).items()}

    def save(self, folder):
        """What an operator would collect: two files a switch."""
        for name in self.switches:
            os.makedirs(os.path.join(folder, name), exist_ok=True)
            for what in ("route", "nexthop"):
                with open(os.path.join(folder, name, f"{what}.json"), "w", encoding="utf-8") as file:
                    file.write(self.ip(name, what))

    def settle(self, expected):
        """Waits until the kernel has these routes."""
        found = {}

        def same():
            for name in self.switches:
                found[name] = self.routes(name)
                if found[name] != expected[name]:
                    return False
            return True
        try:
            until("the routes of ecmp", same)
        except AssertionError as error:
            raise AssertionError(f"{error}: {differences(found, expected)}") from None

    def cut(self, name, port):
        """Removes a cable."""
        subprocess.run(["ip", "-n", self.space(name), "link", "del", port], check=True)

    def seeds(self):
        """Of the hash, by switch; empty where the kernel has none."""
        if not os.path.exists("/proc/sys/net/ipv4/fib_multipath_hash_seed"):
            return {}
        return {name: int(self.run(name, "sysctl", "-n", "net.ipv4.fib_multipath_hash_seed"))
                for name in self.switches}

    def seed(self, value):
        """Gives all switches this seed; False where the kernel has none."""
        if not self.seeds():
            return False
        for name in self.switches:
            self.run(name, "sysctl", "-qw", f"net.ipv4.fib_multipath_hash_seed={value}")
        return True

    def choices(self, name, flows):
        """The port that the kernel takes for each flow: (source, destination, port of arrival or None, UDP source)."""
        words = []
        for source, destination, arrival, port in flows:
            came = f"iif {arrival} " if arrival else ""
            words.append(f"route get {destination} from {source} {came}ipproto udp sport {port} dport 4791\n")
        out = subprocess.run(["ip", "-n", self.space(name), "-o", "-batch", "-"], input="".join(words), text=True,
                             check=True, capture_output=True).stdout
        found = [re.search(r" dev (\S+)", line) for line in out.splitlines() if line.strip()]
        return [one[1] for one in found]

    def stop(self):
        for program in self.programs:
            program.terminate()
        for program in self.programs:
            try:
                program.wait(20)
            except subprocess.TimeoutExpired:
                program.kill()
                program.wait()
        for name in getattr(self, "switches", []):
            subprocess.run(["ip", "netns", "del", self.space(name)], capture_output=True, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


def differences(found, expected):
    """The first few, as text."""
    lines = []
    for name, routes in expected.items():
        for prefix in sorted({*routes, *found.get(name, {})}):
            ours, theirs = routes.get(prefix), found.get(name, {}).get(prefix)
            if ours != theirs:
                lines.append(f"{name} {prefix}: ecmp {sorted(ours or [])}, kernel {sorted(theirs or [])}")
    return f"{len(lines)} routes differ: " + "; ".join(lines[:5])
