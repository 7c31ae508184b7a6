# SPDX-License-Identifier: BSD-3-Clause
"""Pictures of results, drawn with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import missing

if TYPE_CHECKING:
    from ._result import LoadResult, Result


def axes(ax: Any) -> Any:
    """The given axes, or new ones."""
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as pyplot  # type: ignore[import]
    except ImportError:
        raise missing("matplotlib", "a picture") from None
    return pyplot.subplots()[1]


def _bars(ax: Any, names: list[str], series: dict[str, list[Any]], unit: str) -> None:
    height = 0.8 / len(series)
    for i, (label, values) in enumerate(series.items()):
        at = [row + (i - (len(series) - 1) / 2) * height for row in range(len(names))]
        ax.barh(at, [float("nan") if value is None else float(value) for value in values], height, label=label)
    ax.set_yticks(range(len(names)), names)
    ax.invert_yaxis()  # the first row on top, as in the text
    ax.set_xlabel(unit)
    if len(series) > 1:
        ax.legend()


def engines(ax: Any, result: Result) -> None:
    """What pairs of hosts get with each engine when all send to all."""
    rows = [row for row in result["engines"] if row["worst_gbps"] is not None]
    series = {
        label: [row[key] for row in rows]
        for label, key in (("worst pair", "worst_gbps"), ("1st percentile", "p1_gbps"), ("median", "median_gbps"))
    }
    _bars(ax, [row["name"] for row in rows], series, "Gb/s per host")


def means(ax: Any, result: Result) -> None:
    """The mean largest load, with its interval."""
    rows = result["results"]
    _bars(ax, [row["routing"] for row in rows], {"mean": [row["mean"] for row in rows]}, "largest load")
    for at, row in enumerate(rows):
        if row.get("half_width"):
            ax.errorbar(row["mean"], at, xerr=row["half_width"], color="black", capsize=3)


def jobs(ax: Any, result: Result) -> None:
    """The time of each job, next to what it would take alone."""
    rows = result["jobs"]
    series = {"together": [row["seconds"] for row in rows], "alone": [row["alone_seconds"] for row in rows]}
    _bars(ax, [row["name"] or row["what"] for row in rows], series, "seconds")


def faults(ax: Any, result: Result) -> None:
    """What the worst pair of hosts gets after each loss, the worst loss first."""
    rows = result["faults"]
    for way in ("unrepaired", "repaired", "rerouted"):
        rates = sorted(row[way]["worst_gbps"] for row in rows if row.get(way) and row[way]["worst_gbps"] is not None)
        if rates:
            ax.plot(range(1, len(rates) + 1), rates, label=way)
    ax.set_xlabel("losses, the worst first")
    ax.set_ylabel("worst pair, Gb/s per host")
    ax.legend()


def choices(ax: Any, result: Result) -> None:
    """The worst pair of each plan, whole and with one switch of each role lost."""
    rows = [row for row in result["choices"] if row["figures"]]
    series = {
        "whole": [row["figures"]["intact"]["worst_gbps"] for row in rows],
        "one switch lost": [
            min((lost["rerouted"]["worst_gbps"] for lost in row["figures"]["without"] if lost["rerouted"]), default=None)
            for row in rows
        ],
    }
    _bars(ax, [f"{row['number']}: {row['name']}" for row in rows], series, "worst pair, Gb/s per host")



def points(ax: Any, result: Result) -> None:
    """Accepted load and mean latency by offered load."""
    rows = result["points"]
    offered = [row["offered"] for row in rows]
    ax.plot(offered, [row["accepted"] for row in rows], marker="o", label="accepted")
    ax.plot(offered, offered, linestyle=":", color="grey", label="offered")
    ax.set_xlabel("offered, of the link rate")
    ax.set_ylabel("accepted, of the link rate")
    ax.legend(loc="upper left")
    right = ax.twinx()
    right.plot(offered, [row["latency_mean"] for row in rows], marker="x", color="tab:red")
    right.set_ylabel("mean latency, cycles", color="tab:red")


def channels(ax: Any, result: LoadResult) -> None:
    """The load of every channel with a cable, the most loaded first."""
    cabled = result._fabric.peer != result._fabric.NONE
    loads = sorted((result.units / result.units_in_one)[cabled].tolist(), reverse=True)
    ax.step(range(1, len(loads) + 1), loads, where="mid")
    ax.set_xlabel("channels, the most loaded first")
    ax.set_ylabel("load")
    ax.set_ylim(bottom=0)
