extension HTMLPage {
  /// How the page looks: light and dark, narrow and wide, on screen and on paper.
  static let style = Markup(
    raw: """

      :root {
        color-scheme: light dark;
        --ground: #fff; --raised: #f6f7f9; --ink: #1b2027; --quiet: #57606c; --rule: #dfe3e8; --accent: #0b5cad;
        --good: #17693b; --bad: #b3261e; --track: #e6e9ed; --fill: #6b7684; --range: #8fb6e0;
        --tone: 42%;
      }
      @media (prefers-color-scheme: dark) {
        :root {
          --ground: #12161b; --raised: #1a2027; --ink: #e5e9ee; --quiet: #a0abb8; --rule: #2c343e; --accent: #79b8ff;
          --good: #6fcf97; --bad: #ff8a80; --track: #2a323b; --fill: #8c98a6; --range: #3f6d9e;
          --tone: 62%;
        }
      }
      * { box-sizing: border-box; }
      html { scroll-padding-top: 1rem; }
      body {
        margin: 0 auto; padding: 1.5rem 1.5rem 3rem; max-width: 78rem; background: var(--ground); color: var(--ink);
        font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
        font-variant-numeric: tabular-nums; overflow-wrap: break-word; text-size-adjust: 100%;
      }
      h1, h2, h3 { line-height: 1.2; margin: 0; text-wrap: balance; }
      h1 { font-size: 1.75rem; letter-spacing: -0.01em; }
      h2 { font-size: 1.25rem; margin: 3rem 0 0.75rem; padding-top: 0.75rem; border-top: 1px solid var(--rule); }
      h3 { font-size: 1rem; margin: 1.75rem 0 0.5rem; }
      p { margin: 0.25rem 0; }
      header p, .quiet, footer, caption, figcaption, dt { color: var(--quiet); }
      footer { margin-top: 3rem; padding-top: 0.75rem; border-top: 1px solid var(--rule); font-size: 0.8125rem; }
      code { font: 0.8125rem/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
      a { color: var(--accent); }
      i { color: var(--quiet); }
      :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
      :target { scroll-margin-top: 1rem; }
      h2:focus, main:focus { outline: none; }
      abbr { text-decoration: none; font-weight: 700; }
      [hidden] { display: none !important; }
      .vh, .skip:not(:focus) {
        position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
      }
      .skip:focus { display: inline-block; padding: 0.25rem 0.75rem; background: var(--raised); }
      .js { display: none; }
      .scripted .js { display: inline; }

      nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin: 1.5rem 0 0; padding: 0; list-style: none; }
      nav a { text-decoration: none; }
      nav a:hover { text-decoration: underline; }

      .headline { display: grid; grid-template-columns: minmax(14rem, 1fr) 3fr; gap: 1.5rem 3rem; margin-top: 1.5rem; }
      .hero { padding: 1.25rem 1.5rem; background: var(--raised); border-radius: 8px; }
      .hero .big { font-size: 3.25rem; font-weight: 650; line-height: 1; letter-spacing: -0.03em; margin: 0 0 0.5rem; }
      .hero .interval { width: 100%; height: 14px; margin: 0.75rem 0 0.25rem; }
      .hero .since { margin-top: 0.75rem; padding-top: 0.75rem; border-top: 1px solid var(--rule); }
      .good, .good strong { color: var(--good); }
      .bad, .bad strong { color: var(--bad); }
      .gate { margin-top: 1.5rem; padding: 0.75rem 1.25rem; background: var(--raised); border-left: 4px solid var(--good); }
      .gate.fail { border-color: var(--bad); }
      .gate h3 { margin: 0 0 0.25rem; }
      .gate ul { margin: 0; padding: 0; list-style: none; }
      .gate .pass b { color: var(--good); }
      .gate .fail b { color: var(--bad); }

      .scroll { overflow-x: auto; position: relative; }
      table { border-collapse: collapse; }
      caption { text-align: left; padding: 0 0 0.5rem; }
      caption > span { display: block; position: sticky; left: 0; max-width: calc(100vw - 2rem); }
      th, td { padding: 0.3rem 0.75rem; text-align: left; vertical-align: top; }
      th:first-child, td:first-child { padding-left: 0; }
      thead th { color: var(--quiet); font-size: 0.8125rem; font-weight: 500; vertical-align: bottom; }
      tbody th { font-weight: 400; }
      tbody tr { border-top: 1px solid var(--rule); }
      .n { text-align: right; white-space: nowrap; }
      .strong { font-weight: 650; }
      .bars { min-width: 6.5rem; }
      svg.bar { display: block; width: 100%; height: 4px; margin-top: 2px; }
      .chart { width: 9rem; min-width: 7rem; vertical-align: middle; }
      svg.interval { display: block; width: 100%; height: 12px; }
      .track { fill: var(--track); }
      .fill { fill: var(--fill); }
      .range { fill: var(--range); }
      .point { fill: var(--ink); }
      .mark { fill: var(--accent); }
      .s { display: inline-block; position: relative; padding-inline-start: 1em; }
      .s::before {
        content: ""; position: absolute; inset-inline-start: 0; inset-block-start: 0.45em; width: 0.6em; height: 0.6em;
        border-radius: 2px; background: var(--hue, var(--fill));
      }
      svg[class*=" "] .fill { fill: var(--hue, var(--fill)); }
      dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.15rem 1rem; margin: 0; }
      dd { margin: 0; min-width: 0; }

      .matrix td, .matrix th { padding: 0.3rem 0.5rem; }
      .matrix td { text-align: right; min-width: 2.75rem; border-left: 1px solid var(--rule); }
      .matrix tbody th { white-space: nowrap; position: sticky; left: 0; background: var(--ground); padding-left: 0; z-index: 1; }
      .matrix thead th > span { writing-mode: vertical-rl; transform: rotate(180deg); display: inline-block; }
      .matrix thead th { text-align: right; white-space: nowrap; }
      .matrix .corner { text-align: left; padding-left: 0; }
      .matrix .corner > span { writing-mode: initial; transform: none; display: block; }
      .matrix .sum { color: var(--quiet); }
      .matrix .ok { --heat: 160 45%; font-weight: 650; box-shadow: inset 0 0 0 1px var(--fill); }
      .matrix .no { --heat: 14 85%; }
      .h1 { background: hsl(var(--heat) 95%); }
      .h2 { background: hsl(var(--heat) 90%); }
      .h3 { background: hsl(var(--heat) 85%); }
      .h4 { background: hsl(var(--heat) 80%); }
      .h5 { background: hsl(var(--heat) 75%); }
      .h6 { background: hsl(var(--heat) 70%); }
      @media (prefers-color-scheme: dark) {
        .matrix .ok { --heat: 160 35%; }
        .matrix .no { --heat: 10 50%; }
        .h1 { background: hsl(var(--heat) 13%); }
        .h2 { background: hsl(var(--heat) 17%); }
        .h3 { background: hsl(var(--heat) 21%); }
        .h4 { background: hsl(var(--heat) 25%); }
        .h5 { background: hsl(var(--heat) 29%); }
        .h6 { background: hsl(var(--heat) 33%); }
      }
      td > button { font: inherit; color: inherit; background: none; border: 0; cursor: pointer; text-decoration: underline dotted; }
      td > button { text-underline-offset: 0.2em; min-width: 1.5rem; min-height: 1.5rem; padding: 0 0.25rem; text-align: right; }
      .matrix td:has(> button) { padding: 0; }
      .matrix td > button { width: 100%; padding: 0.3rem 0.5rem; }
      td > button:hover { outline: 2px solid var(--accent); }
      td > button[aria-pressed=true] { background: var(--accent); color: var(--ground); text-decoration: none; }

      .filter { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; margin: 0.5rem 0; }
      .filter input {
        font: inherit; padding: 0.3rem 0.6rem; width: 20rem; max-width: 100%; color: inherit; background: var(--ground);
        border: 1px solid var(--fill); border-radius: 4px;
      }
      .filter button {
        font: inherit; padding: 0.3rem 0.75rem; color: var(--ground); background: var(--accent); border: 0; border-radius: 4px;
        cursor: pointer;
      }
      .list table { width: 100%; table-layout: fixed; overflow-wrap: anywhere; }
      .list th, .list td { padding-right: 0.5rem; padding-left: 0.5rem; font-size: 0.875rem; }
      .list :is(th, td):first-child { padding-left: 0; }
      .list thead th { font-size: 0.8125rem; }
      .errors th:nth-child(1) { width: 22%; }
      .errors th:is(:nth-child(2), :nth-child(3)) { width: 14%; }
      .errors th:is(:nth-child(4), :nth-child(6)) { width: 9%; }
      .errors th:nth-child(5) { width: 20%; }
      .list bdi { font-weight: 500; }
      .list .at, .why { display: block; color: var(--quiet); font-size: 0.75rem; }
      .why { font-size: 0.8125rem; }
      .why bdi, .list td b { font-weight: 500; color: var(--ink); }
      .at { user-select: all; }

      .beside { display: grid; grid-template-columns: minmax(16rem, 22rem) 1fr; gap: 1.5rem 3rem; align-items: start; }
      .beside > * { min-width: 0; }
      figure { margin: 0; }
      figcaption { font-size: 0.8125rem; }
      .plot { width: 100%; height: auto; }
      .plot text { fill: var(--quiet); font-size: 11px; }
      .grid { stroke: var(--rule); fill: none; }
      .ideal { stroke: var(--fill); stroke-dasharray: 4 4; }
      .whisker { stroke: var(--accent); stroke-width: 1.5; opacity: 0.7; }
      .dot { fill: var(--accent); }

      .emerald { --hue: hsl(160 80% var(--tone)); }
      .amber { --hue: hsl(40 90% var(--tone)); }
      .red { --hue: hsl(2 72% var(--tone)); }
      .blue { --hue: hsl(217 80% var(--tone)); }
      .cyan { --hue: hsl(189 85% var(--tone)); }
      .orange { --hue: hsl(24 92% var(--tone)); }
      .purple { --hue: hsl(272 60% var(--tone)); }
      .yellow { --hue: hsl(50 90% var(--tone)); }
      .pink { --hue: hsl(330 70% var(--tone)); }
      .teal { --hue: hsl(174 75% var(--tone)); }
      .slate { --hue: hsl(215 20% var(--tone)); }
      .gray { --hue: hsl(220 6% var(--tone)); }
      .violet { --hue: hsl(258 70% var(--tone)); }
      .rose { --hue: hsl(347 75% var(--tone)); }
      .indigo { --hue: hsl(239 60% var(--tone)); }
      .lime { --hue: hsl(84 75% var(--tone)); }
      .fuchsia { --hue: hsl(293 65% var(--tone)); }
      .sky { --hue: hsl(200 85% var(--tone)); }

      .figures th .quiet { margin-left: 0.5em; font-size: 0.8125rem; }
      .figures .chart { width: 12rem; }

      @media screen and (min-width: 64rem) {
        .list { overflow: visible; }
        .list thead th { position: sticky; top: 0; background: var(--ground); z-index: 1; }
      }
      @media (max-width: 56rem) {
        body { padding: 1rem 1rem 2rem; }
        .headline, .beside { grid-template-columns: minmax(0, 1fr); }
      }
      @media screen and (max-width: 44rem) {
        th, td { padding: 0.3rem 0.5rem; }
        .list thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        .list table, .list tbody, .list tr, .list th, .list td, .list caption { display: block; }
        .list tr { padding: 0.5rem 0; }
        .list th, .list td { padding: 0; text-align: left; white-space: normal; }
        .list th:first-child { width: auto; }
        .list td { position: relative; padding-left: 6.5rem; }
        .list td::before { color: var(--quiet); position: absolute; left: 0; }
        .list td:nth-child(2)::before { content: "expected"; }
        .errors td:nth-child(3)::before { content: "answer"; }
        .errors td:nth-child(4)::before { content: "confidence"; }
        .errors td:nth-child(5)::before { content: "keyword"; }
        .errors td:nth-child(6)::before { content: "rule"; }
        .errors td:nth-child(7)::before { content: "runner-up"; }
        .flips td:nth-child(3)::before { content: "before"; }
        .flips td:nth-child(4)::before { content: "after"; }
        .figures th .quiet { display: block; margin: 0; }
        .figures :is(th, td):nth-child(4) { display: none; }
        .list td:empty { display: none; }
      }
      @media print {
        :root { --ground: #fff; --ink: #000; --quiet: #444; --rule: #ccc; --raised: #f6f7f9; color-scheme: light; }
        * { print-color-adjust: exact; }
        html { font-size: 10pt; }
        body { max-width: none; padding: 0; }
        nav, .filter, .skip { display: none !important; }
        h2, h3 { break-after: avoid; }
        tr, figure, .hero, .gate { break-inside: avoid; }
        .scroll { overflow: visible; }
        td > button { text-decoration: none; }
      }
      @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }

      """)
}
