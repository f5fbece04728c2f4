# SPDX-License-Identifier: MIT
"""A page that is shown already, brought back to what it was when it was opened."""

from __future__ import annotations

from typing import Any

# All that a test may have changed: the document, what its fields hold, and the state of the player.
SEEN = """
    const seen = () => {
        const {picture: {shown, theme, free, followed, selection, size, window}, plots, ...player} = rigid.player;
        const fields = [...document.querySelectorAll("input, select")].map(({value, checked}) => [value, checked]);
        return JSON.stringify([
            document.body.innerHTML.replace(/ (class=""|tabindex="0")/g, ""), document.documentElement.outerHTML.split("<head", 1), fields,
            [...shown], theme, free, followed, selection, size, window, plots.charts.map(({owner, names}) => [owner, names]),
            player.time, player.speed, player.playing, player.loop, player.chosen, document.activeElement.tagName,
            [...document.querySelectorAll("*")].filter(({scrollTop, scrollLeft}) => scrollTop || scrollLeft).length,
        ]);
    };
    const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
"""  # noqa: E501
NOTE = f"""async () => {{
    {SEEN}
    await drawn();
    const {{player}} = rigid, selects = [...document.querySelectorAll("select")];
    const charts = player.plots.charts.map(({{owner, names, kept}}) => [owner, names, kept]);
    const {{theme, shown}} = player.picture;
    window.asOpened = {{
        seen: seen(), theme, shown: [...shown], charts, chosen: selects.map(({{value}}) => value),
        tab: document.querySelector("[role=tab][aria-selected=true]")?.id,
    }};
}}"""
RESET = f"""async () => {{
    {SEEN}
    if (!window.asOpened || !window.rigid) return false;
    const {{player}} = rigid, {{picture, plots}} = player, {{theme, shown, charts, chosen, tab}} = asOpened;
    for (const each of document.querySelectorAll("dialog[open]")) each.close();
    player.pause();
    player.setSpeed(1);
    if (!player.loop) player.toggleLoop();
    player.select(null);
    picture.home();
    for (const name of new Set([...picture.shown, ...shown])) {{
        if (picture.shown.has(name) !== shown.includes(name)) player.toggleOverlay(name);
    }}
    delete player.chosen;
    for (const each of [...plots.charts]) plots.remove(each);
    for (const each of charts) plots.add(...each);
    document.querySelectorAll("select").forEach((each, k) => {{ each.value = chosen[k]; }});
    player.setTheme(theme);
    player.chooseTab(tab);
    player.seek(player.source.begin);
    document.activeElement.blur();
    await drawn();
    return seen() === asOpened.seen;
}}"""  # noqa: E501


def note(tab: Any) -> None:
    """Remember how the page of a tab is."""
    tab.evaluate(NOTE)


def is_reset(tab: Any) -> bool:
    """Bring the page of a tab back; whether it is in all that was noted as it was."""
    tab.mouse.move(0, 0)
    return bool(tab.evaluate(RESET))
