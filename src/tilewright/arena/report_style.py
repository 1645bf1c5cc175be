"""How the report looks: light and dark, on a desk and on a phone."""

STYLE = """
:root { color-scheme: light dark; --paper: #f6f4ef; --card: #fff; --ink: #22252b; --soft: #5d6470; --line: #dcd8ce;
  --bot0: #2b66b1; --bot1: #d07a1c; --bot2: #2f8f62; --bot3: #8a56ad; --bot4: #c24743; --bot5: #218d9c;
  --bot6: #8a6a3a; --bot7: #6b7280; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181d; --card: #1f232a; --ink: #e8e6e1; --soft: #a3aab6;
  --line: #373d48; --bot0: #6ea3e6; --bot1: #eda64f; --bot2: #62c08f; --bot3: #bb8fdb; --bot4: #ea7f79;
  --bot5: #5bc0cd; --bot6: #c4a06a; --bot7: #9aa2af; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 16px 40px; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 1.05rem; margin: 0 0 8px; }
header p, section p { color: var(--soft); margin: 0 0 8px; }
header { margin-bottom: 20px; }
section, .facts li { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px; }
section.wide { margin-bottom: 16px; }
.facts { list-style: none; display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 16px;
  padding: 0; margin: 0 0 16px; }
.facts span, .facts small { display: block; color: var(--soft); }
.facts small { white-space: nowrap; }
.facts strong { display: block; font-size: 2rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.plots { columns: 2; column-gap: 16px; }
.plots section { break-inside: avoid; margin-bottom: 16px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: 6px 10px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
tbody tr:last-child > * { border-bottom: 0; }
th:first-child { text-align: left; padding-left: 0; position: sticky; left: 0; background: var(--card); }
thead th { color: var(--soft); font-weight: 500; }
tbody th { font-weight: 600; }
svg { display: block; width: calc(100% + 10px); height: auto; margin-left: -10px; }
svg text { fill: var(--soft); font-size: 12px; paint-order: stroke; stroke: var(--card); stroke-width: 3px;
  stroke-linejoin: round; }
svg text.name { fill: var(--ink); font-size: 13px; font-weight: 600; }
.grid { stroke: var(--line); stroke-width: 1; }
.grid.zero { stroke: var(--soft); }
.mean { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 3 3; }
.whisker { stroke: var(--soft); stroke-width: 2; }
.bound { stroke: var(--bot4); stroke-width: 1.5; stroke-dasharray: 6 4; }
.curve { fill: none; stroke: var(--bot0); stroke-width: 2; stroke-linejoin: round; }
.neutral { fill: var(--bot7); background: var(--bot7); }
.bot0 { fill: var(--bot0); background: var(--bot0); } .bot1 { fill: var(--bot1); background: var(--bot1); }
.bot2 { fill: var(--bot2); background: var(--bot2); } .bot3 { fill: var(--bot3); background: var(--bot3); }
.bot4 { fill: var(--bot4); background: var(--bot4); } .bot5 { fill: var(--bot5); background: var(--bot5); }
.bot6 { fill: var(--bot6); background: var(--bot6); } .bot7 { fill: var(--bot7); background: var(--bot7); }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 16px; margin: 8px 0 0; padding: 0; }
.legend i { display: inline-block; width: 12px; height: 12px; border-radius: 3px; margin-right: 6px; }
footer { color: var(--soft); font-size: .85rem; margin-top: 8px; }
@media (max-width: 760px) { .plots { columns: 1; } main { padding: 16px 10px 32px; } h1 { font-size: 1.4rem; }
  .facts { grid-template-columns: 1fr 1fr; gap: 10px; } .facts strong { font-size: 1.5rem; }
  .facts small { white-space: normal; } section, .facts li { padding: 12px; } }
"""
