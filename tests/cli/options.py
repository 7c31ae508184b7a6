#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every option of a verb changes what some command does, or is refused.

options.py PROGRAM VERB...: takes the options of each verb from its --help and tries each on the
commands of that verb below, until one of them does something else with it. An option that has no
value here, or that no command reads, fails: so none is forgotten. Then come commands that have no use
for an option: each must end with 2, say so, and print and write nothing.
"""

import os
import re
import subprocess
import sys

FT = "ft(4,3)"
TORUS = "torus(4,4)"
RAILS = "rails(units=2,hosts=3,rails=2,spines=2,storage=1,missing_cables=2)"
STAGE = "like-stage"
# The same for every result, as long as there is one.
HOW = {"--threads", "--help"}

# Files that options and commands below name.
FILES = {
    "roots": "S1_0\nS1_1\n",
    "compute": "".join(f"H{i}\n" for i in range(7)),
    "io": "H0\nH1\nH2\n",
    "order": "".join(f"H{i}\n" for i in range(15, -1, -1)),
    "hosts": "H0\nH5\nH2\nH9\nH12\nH3\nH14\n",
    "top": "S3_0\n",
    "faults": "cut S2_0[1]\n",
    "stage.compute": "0x0010000000008e00\n0x0010000000008f00\n",
    "names": '0x0010000000000000 "first"\n0x0020000000000000 "leaf"\n',
    "messages": "0 H0 H9 6400\n0 H1 H9 6400\n",
    "goal": "num_ranks 2\nrank 0 {\nl1: send 64b to 1 tag 1\n}\nrank 1 {\nl1: recv 64b from 0 tag 1\n}\n",
    "beside": "other H[8-11] allgather 1M\n",
    "places": "there H[2-5]\n",
    "links": "S1_0[3] 1 5\n",
    "jobs": "one H[0-3]\n",
}
MADE = [
    ["convert", FT, "--to", "ibnetdiscover", "-o", "net"],
    ["convert", FT, "--cut", "2", "--to", "ibnetdiscover", "-o", "other"],
    ["route", FT, "--engine", "updn", "-o", "updn.lfts"],
    ["route", FT, "--engine", "sftree", "-o", "sftree.lfts"],
    ["route", TORUS, "--engine", "dfsssp", "-o", "laned.lfts", "--sl", "levels"],
    ["route", TORUS, "--engine", "minhop", "-o", "minhop.lfts"],
    ["route", FT, "--engine", "ar_updn", "--choice", "hashed", "-o", "hashed.far"],
    ["route", RAILS, "--engine", "updn", "-o", "rails.lfts"],
    ["route", STAGE, "--engine", "updn", "-o", "stage.lfts"],
    ["verify", FT, "updn.lfts", "--certificate", "proof"],
    ["verify", TORUS, "dfsssp", "--certificate", "proof.torus"],
    ["load", FT, "updn", "--traffic", "alltoall", "--bound", "lengths"],
]

# A value of each option; None for a flag. "VERB --option" where a verb has another.
VALUES = {
    "--node-name-map": "names", "--cut": "S2_0[1]", "--remove": "H15", "--faults": "faults",
    "--fault-seed": "5", "--keep-connected": None, "--roots": "roots", "--compute": "compute",
    "--io": "io", "--uncounted": "io", "--count-aggregation": None, "--count-flows": None,
    "--json": None, "--seed": "7", "--lmc": "1", "--lanes": "1", "--order": "order",
    "--manager": "H0", "--choice": "hashed", "--groups": "0", "--for": "shifts",
    "--effort": "quick", "--sl": "levels", "--whole-sl": None, "--engine": "minhop",
    "--sl2vl": "sl2vl", "show --compute": "stage.compute", "convert --compute": "stage.compute",
    "--output": "made", "--top": "1", "--traffic": "ring", "--collective": "doubling",
    "--to": "far", "convert --to": "dot", "--guids": "compute", "--all": None,
    "--tables": "updn.lfts sftree.lfts", "report --tables": "updn.lfts", "--queue-pairs": "4",
    "--at-most": "9", "--seeds": "5", "--same-hash": None, "--bound": "made",
    "--check-bound": "lengths", "--patience": "1", "--sample": "2", "--hosts": "hosts",
    "optimise --sl": "made", "route --sl": "made", "--addresses": "made", "--out-opensm": "made.d",
    "--shifts": None, "--rates": None, "--bisections": None, "--samples": "50", "--width": "50",
    "--sl-output": "made", "--spare-blocks": "3", "--forced-only": None, "--engines": "minhop",
    "--worst": "updn", "--jobs": "jobs", "--title": "title", "order --remove": "S2_0", "order --seed": "2", "repair --roots": "top", "--from": "H3", "--offset": "1",
    "trace --to": "H7", "verify --from": "sftree.lfts", "--from-sl": "levels",
    "--certificate": "made", "--terminals-only": None, "--rechoose": None, "--new-sl": "levels",
    "--only": "cables", "--sets": "2", "--permutations": "0", "--add": "switch@3", "--keep": "made",
    "--csv": None, "sim --csv": "made", "--permutation": None, "--list": None, "--quick": None,
    "--out": "made.d", "--fresh": None, "--fabric": "ft(4,2)", "--opensm": "none",
    # The simulator.
    "--routing": "updn", "--burst-silence": "5", "--adaptive": None, "--paths": "packet-random",
    "--load": "0.7", "--message-flits": "30", "--message-size": "2k", "--placement": "random",
    "--barrier": None, "--stages": "2", "--trace": "messages", "--switch-load": "0.5",
    "--service-level": "1", "--switch-service-level": "1", "--cycles": "700", "--svg": "made",
    "--series": "made", "--use": "made", "--switch-to": "sftree.lfts", "--at": "50",
    "sim --order": "random", "--write-gap": "7", "--drain": "9", "--packet-flits": "5",
    "--mtu": "128", "--flit-bytes": "32", "--buffer-packets": "2", "--input-flits": "12",
    "--output-flits": "12", "--queueing": "fifo", "--receivers": "unlimited", "--crossbar": "1",
    "--link-latency": "3", "--switch-latency": "3", "--link-speed": "10", "--links": "links",
    "--terminal-speed": "1", "--port0-speed": "1", "sim --lanes": "3", "--shares": "high:9,low:1",
    "--high-limit": "20", "--sl-to-vl": "1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0", "sim --sl": "levels",
    # Jobs.
    "job --hosts": "H[4-7]", "--ranks-per-host": "2", "--adapters": "1", "--rate": "4xHDR",
    "--beside": "beside", "--weight": "3", "--flits": None, "--hashed": None, "--channels": "1",
    "--cross-nic": "1", "--no-pxn": None, "--window": "1", "--root": "1", "--latency": "none",
    "job --groups": "data", "--tensor": "2", "--data": "2", "--pipeline": "2", "--expert": "2",
    "--improve": "order", "--free": "H[8-15]", "--tries": "1", "--candidates": "places",
    "--hostfile": "made", "--rankfile": "made", "--machinefile": "made", "--slurm-hostfile": "made",
    "job --collective": "alltoall:pxn", "job --queue-pairs": "2",
    "repair --lanes": "2", "repair --sl": "levels",
}

# What an option needs beside it; without these it must be refused. "VERB --option" first.
WITH = {
    "--fault-seed": ["--cut", "2"], "--keep-connected": ["--cut", "20"],
    "--seeds": ["--queue-pairs", "4"], "--same-hash": ["--queue-pairs", "4"],
    "--bisections": ["--rates"], "whatif --samples": ["--sets", "2"],
    "repair --lanes": ["--sl", "levels"], "--sl-output": ["--sl", "levels"],
    "--whole-sl": ["--sl", "levels"], "report --sl": ["--tables", "updn.lfts"],
    "--from-sl": ["--from", "laned.lfts", "--sl", "levels"], "transition --sl": ["--new-sl", "levels"],
    "--new-sl": ["--sl", "levels"], "route --to": ["--output", "made"],
    "--switch-service-level": ["--switch-load", "0.5"], "--port0-speed": ["--switch-load", "0.5"],
    "--at": ["--switch-to", "sftree.lfts"], "sim --order": ["--switch-to", "sftree.lfts"],
    "--write-gap": ["--switch-to", "sftree.lfts"],
    "--drain": ["--switch-to", "sftree.lfts", "--order", "rounds"],
    "--weight": ["--beside", "beside"], "job --queue-pairs": ["--hashed"], "job --seed": ["--hashed"],
    "--free": ["--improve", "both"], "--tries": ["--improve", "order"],
    "--tensor": ["--groups", "tensor"], "--data": ["--groups", "data"],
    "--pipeline": ["--groups", "pipeline"], "--expert": ["--groups", "expert"],
    "--high-limit": ["--lanes", "2", "--shares", "high:9,low:1"],
    "--shares": ["--lanes", "2", "--switch-load", "0.5", "--switch-service-level", "1"],
    "--sl-to-vl": ["--lanes", "2"],
}

# Commands of each verb, without the verb; options are tried on them in this order.
OUT = ["-o", "/dev/stdout"]
WAY = ["--from", "H0", "--to", "H14"]
LANED = [TORUS, "laned.lfts"]
CUT = ["--cut", "S1_7[3]"]
COMMANDS = {
    "show": [[FT], [STAGE], [FT, "--remove", "S1_7"], ["rails(missing_cables=20)"]],
    "convert": [[FT, "--to", "json"], [FT, "--to", "guids"],
                [STAGE, "--to", "guids"], [FT]],
    "diff": [[FT, "other"]],
    "transition": [[FT, "updn.lfts", "sftree.lfts"], [TORUS, "laned.lfts", "laned.lfts"]],
    "repair": [[FT, "--cut", "S1_0[3]", "updn.lfts", *OUT], [RAILS, "--cut", "3", "rails.lfts"],
               [STAGE, "--cut", "3", "stage.lfts"], LANED],
    "route": [[FT, "--engine", "updn", *OUT], [FT, "--engine", "ar_updn", "--to", "far", *OUT],
              [TORUS, "--engine", "nue", *OUT], [TORUS, "--engine", "updn", *OUT],
              [RAILS, "--engine", "updn", *OUT], [TORUS, "--engine", "lash", *OUT],
              ["ft(8,3)", "--engine", "even", "--cut", "12", *OUT], [FT, "--engine", "disjoint:2"],
              [FT, "--engine", "updn"], [FT, *OUT]],
    "verify": [[FT, "updn"], [FT, "ar_updn"], [TORUS, "minhop.far"], [TORUS, "nue"], [TORUS, "updn"], [RAILS, "updn"],
               ["ft(8,3)", "even", "--cut", "12"], [TORUS, "lash"], LANED, [FT]],
    "trace": [[FT, "updn", *WAY], [FT, "updn.lfts", *WAY], [FT, *WAY], [FT, "updn", "--to", "H9"],
              [FT, "updn", "--from", "H9"], [*LANED, "--from", "H0", "--to", "H13"], [FT, "updn", "--lmc", "1", *WAY],
              [TORUS, "nue", *WAY], [TORUS, "updn", *WAY], [TORUS, "lash", *WAY]],
    "check-certificate": [[FT, "updn", "proof"], [TORUS, "dfsssp", "proof.torus"], [FT, "ar_updn", "proof"], [*LANED, "proof.torus"]],
    "optimise": [[FT, "--engine", "updn", *OUT], [TORUS, "--engine", "nue"], [TORUS, "--engine", "updn", *OUT], ["ft(6,3)", "--cut", "9", "--engine", "even"], [RAILS, "--engine", "updn", *OUT], [FT]],
    "compare": [["ft(4,3)", "--json"], ["ft(4,2)"], ["ft(6,2)", "--cut", "3", "--json"], [RAILS, "--json"]],
    "whatif": [[FT, "updn"], [FT, "ar_updn"], [FT, "nue"], ["ft(6,3)", "even", "--cut", "9"], [RAILS, "updn"], [STAGE, "updn"]],
    "report": [[FT, "-o", "made", "--engines", "updn"], [TORUS, *OUT, "--engines", "nue,lash,ar_updn"], ["ft(6,3)", "--cut", "9", *OUT, "--engines", "even"], [FT, "--engines", "updn"], [FT, *OUT]],
    "load": [[FT, "updn", "--traffic", "alltoall"], [FT, "ar_updn", "--traffic", "permutation"],
             [STAGE, "minhop", "--traffic", "shift:9"], [RAILS, "updn", "--traffic", "ring"],
             ["ft(8,3)", "even", "--cut", "12", "--traffic", "alltoall"], [FT, "updn"]],
    "worst": [[FT, "updn"], [FT, "random:2"], [STAGE, "minhop"], [RAILS, "minhop"]],
    "permutations": [[FT, "updn", "--samples", "20", "--width", "99"], [FT, "updn", "--shifts"],
                     [FT, "updn", "--width", "99"], [FT, "updn", "--samples", "20"],
                     [STAGE, "updn", "--samples", "20", "--width", "99"],
                     [RAILS, "updn", "--samples", "20", "--width", "99"], [FT, "updn"]],
    "order": [[FT, "updn", "--hosts", "hosts", "--json"],
              [FT, "minhop", "--hosts", "hosts", "--collective", "doubling", "--json"],
              [FT, "updn", "--hosts", "hosts"], [FT, "updn"]],
    "sim": [[FT, "--routing", "updn", "--load", "0.5", "--cycles", "300"],
            [FT, "--routing", "disjoint:2", "--collective", "shift", "--message-size", "640"],
            [FT, "--routing", "ar_updn", "--choice", "bounded", "--load", "0.5", "--cycles", "300"],
            [FT, "--routing", "ar_updn", "--load", "0.5", "--cycles", "300"],
            [TORUS, "--routing", "laned.lfts", "--load", "0.5", "--cycles", "300"],
            [FT, "--load", "0.5"], [FT, "--routing", "updn"], [FT, "--routing", "updn", "--load", "0.5"]],
    "job": [[FT, "updn", "--hosts", "all", "--json"], [FT, "updn", "--json"],
            [FT, "updn", "--json", "--hosts", "H[0-3]"], [STAGE, "updn", "--hosts", "all", "--json"],
            [RAILS, "updn", "--hosts", "all", "--json"], [FT, "updn", "--hosts", "H[0-7]"],
            [FT, "ar_updn", "--hosts", "H[0-7]", "--collective", "alltoall:linear", "--json"],
            [FT, "updn", "--hosts", "H[0-7]", "--collective", "alltoall:pxn", "--json"],
            [FT, "updn", "--hosts", "H[0,4]", "--collective", "sendrecv", "--json"],
            [RAILS, "updn", "--hosts", "all", "--collective", "sendrecv", "--json"]],
}

# Read, but shown by no small command; tests elsewhere, or the reason.
ONE_OF_MANY = "one route of many: verify makes its tables in the same way"
ELSEWHERE = {
    "trace --manager": ONE_OF_MANY, "trace --for": ONE_OF_MANY, "trace --effort": ONE_OF_MANY,
    "trace --seed": ONE_OF_MANY, "trace --count-aggregation": ONE_OF_MANY,
    "check-certificate --for": ONE_OF_MANY, "check-certificate --effort": ONE_OF_MANY,
    "check-certificate --seed": ONE_OF_MANY, "check-certificate --count-aggregation": ONE_OF_MANY,
    "verify --manager": "routing/engines_test.cpp",
    "verify --sl2vl": "check.bats", "check-certificate --sl2vl": "check.bats",
    "trace --sl2vl": "check.bats", "report --sl2vl": "report.bats",
    "verify --whole-sl": "verify.bats", "check-certificate --whole-sl": "verify.bats",
    "trace --whole-sl": "verify.bats", "verify --rechoose": "adaptive.bats",
    "permutations --node-name-map": "names of nodes for --cut", "optimise --node-name-map": "for --cut",
    "check-certificate --node-name-map": "for --cut",
    "transition --roots": "sim.bats", "transition --compute": "levels, as --roots",
    "repair --sl": "repair.bats", "repair --sl-output": "repair.bats", "repair --lanes": "repair.bats",
    "order --count-aggregation": "who counts", "order --count-flows": "fair rates",
    "job --cross-nic": "job.bats", "job --root": "job.bats", "job --weight": "job.bats",
    "job --groups": "job.bats", "job --data": "job.bats", "job --count-aggregation": "names of hosts",
    "whatif --lanes": "trees need one lane",
}

# Options that a command has no use for.
ENGINES = "--lmc --lanes --order --manager --for --effort"
VOID = {
    "show": [([FT, "--json"], "--all")],
    "convert": [([FT, "--to", "json"], "--guids --roots --compute")],
    "repair": [([FT, *CUT, "updn.lfts"], "--sl-output --lanes")],
    "route": [([FT, "--engine", "minhop", *OUT], "--lanes --manager --choice --groups --for --effort --seed --roots"),
              ([FT, "--engine", "dmodk", *OUT],
               "--lanes --order --manager --choice --groups --for --effort --seed --io --uncounted --count-aggregation"),
              ([FT, "--engine", "disjoint:2", *OUT], ENGINES + " --seed --io --uncounted --count-aggregation")],
    "verify": [([FT, "updn.lfts"], ENGINES + " --seed --io --uncounted --count-aggregation --rechoose"),
               ([FT, "updn"], "--lanes --groups --for --effort --seed --sl --rechoose")],
    "trace": [([FT, "updn.lfts", *WAY], ENGINES + " --seed --roots --compute --io --uncounted --count-aggregation"),
              ([FT, "updn", "--from", "H0", "--to", "S1_0"], "--offset --sl --seed")],
    "check-certificate": [([FT, "updn.lfts", "proof"],
                           ENGINES + " --seed --roots --compute --io --uncounted --count-aggregation")],
    "optimise": [([FT, "--engine", "bfot"], "--lanes --manager --for --effort --roots")],
    "whatif": [([FT, "updn.lfts"], ENGINES + " --io --uncounted --add --samples"),
               ([FT, "updn", "--json", "--permutations", "0"], "--seed --top")],
    "report": [([FT, *OUT, "--engines", "updn"], "--lanes --choice --groups --for --effort --seed"),
               ([FT, *OUT, "--engines", "none"], ENGINES + " --choice --groups")],
    "load": [([FT, "updn", "--traffic", "alltoall"],
              "--queue-pairs --at-most --seeds --same-hash --for --effort --seed"),
             ([FT, "updn.lfts", "--traffic", "ring"], "--io --uncounted --queue-pairs")],
    "worst": [([FT, "updn"], "--seed"), ([FT, "updn.lfts"], "--seed --io --uncounted")],
    "permutations": [([FT, "updn", "--shifts"], "--samples --width --seed --bisections"),
                     ([FT, "updn.lfts"], "--roots --compute --io --uncounted --bisections")],
    "order": [([FT, "updn.lfts", "--hosts", "hosts"], "--roots --compute --io --uncounted")],
    "sim": [([FT, "--routing", "updn", "--load", "0.5"],
             "--sl --choice --burst-silence --paths --placement --barrier --stages --switch-service-level --at --order "
             "--write-gap --drain --port0-speed --flit-bytes"),
            ([FT, "--routing", "updn", "--collective", "ring"],
             "--seed --traffic --switch-load --cycles --series --use --message-flits --barrier --stages --switch-to"),
            ([FT, "--routing", "updn.lfts", "--trace", "messages"],
             "--seed --traffic --message-size --placement --roots --compute --io --uncounted"),
            ([FT, "--adaptive", "--load", "0.5"], "--sl --choice --paths --roots --compute --io --uncounted")],
    "job": [([FT, "updn", "--hosts", "H[0-7]"],
             "--weight --queue-pairs --window --root --no-pxn --tensor --data --pipeline --expert --free --tries --seed"),
            ([FT, "updn", "--hosts", "H[0-7]", "--collective", "alltoall:bruck"],
             "--channels --cross-nic --window --root --no-pxn --latency"),
            ([FT, "updn.lfts", "--trace", "messages"],
             "--ranks-per-host --adapters --channels --cross-nic --no-pxn --window --root --latency --groups --tensor "
             "--data --pipeline --expert --roots --compute --io --uncounted")],
    "study": [(["--list"], "--all --quick --out --fresh --fabric --opensm --seed"),
              (["000-table1"], "--fabric --opensm")],
}


class Walk:
    def __init__(self, program, verb):
        self.program, self.verb = program, verb
        self.usual = {}

    def run(self, words):
        return subprocess.run([self.program, self.verb, *words], capture_output=True, text=True, timeout=60)

    def result(self, words):
        """How a command ends, what it prints without times, and what it writes."""
        done = self.run(words)
        text = done.stdout + done.stderr
        for folder, _, names in os.walk("."):
            for name in sorted(names):
                path = os.path.join(folder, name)
                if not path.startswith("./made"):
                    continue
                with open(path, errors="replace") as file:
                    text += path + file.read()
                os.remove(path)
        return done.returncode, re.sub(r'"[a-z_]*seconds": *[-0-9.e+]+|[0-9.]+ m?s\b', "", text)

    def options(self):
        text = self.run(["--help"]).stdout
        return sorted(set(re.findall(r"^ +(?:-\w,)?(--[a-z0-9-]+)", text, re.M)) - HOW)

    def named(self, table, option, otherwise):
        return table.get(f"{self.verb} {option}", table.get(option, otherwise))

    def words(self, option):
        value = self.named(VALUES, option, None)
        return [option] if value is None else [option, *value.split(" ")]

    def reads(self, command, option):
        """Whether the command, with what the option needs, does something else with it."""
        command = command + self.named(WITH, option, [])
        status, text = self.result(command + self.words(option))
        if status not in (0, 1):
            # Tables that the certificate is not for are an error.
            return self.verb == "check-certificate" and "no effect" not in text and "--help" not in text
        key = " ".join(command)
        if key not in self.usual:
            self.usual[key] = self.result(command)
        return (status, text) != self.usual[key]

    def failures(self):
        for option in self.options() if self.verb in COMMANDS else []:
            if self.named(VALUES, option, "") == "":
                yield f"{option} has no value here to try it with"
            elif f"{self.verb} {option}" in ELSEWHERE:
                continue
            elif not any(self.reads(command, option) for command in COMMANDS[self.verb]):
                yield f"{option} is read by no command here"
        for command, options in VOID.get(self.verb, []):
            yield from self.accepted(command, options.split(" "))
        if self.verb in COMMANDS:
            for more in [], ["--cut", "S2_0[1]"]:
                yield from self.accepted(COMMANDS[self.verb][0] + more, ["--fault-seed", "--keep-connected"])

    def accepted(self, command, options):
        for option in options:
            done = self.run(command + self.words(option))
            if done.returncode != 2 or done.stdout != "" or f"{option} has no effect here: it goes with " not in done.stderr:
                yield f"{' '.join(command)}: {option} is not refused ({done.returncode}: {done.stderr.strip()[:200]})"
            if os.path.exists("made"):
                yield f"{' '.join(command)}: {option} is refused, and a file is written"


def main():
    program = sys.argv[1]
    for name, text in FILES.items():
        with open(name, "w") as file:
            file.write(text)
    for words in MADE:
        subprocess.run([program, *words], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    failed = False
    for verb in sys.argv[2:]:
        if verb not in COMMANDS and verb not in VOID:
            print(f"{verb}: no command here")
            failed = True
        for failure in Walk(program, verb).failures():
            print(f"{verb} {failure}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
