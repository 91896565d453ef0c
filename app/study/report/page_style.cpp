#include "study/report/page_style.hpp"

namespace backlit::report {

// Colours after Okabe and Ito, which colour-blind people can distinguish; shapes repeat the information.
const char* const page_style = R"css(
:root{color-scheme:light dark;--paper:#fdfdfb;--ink:#1d1d1b;--soft:#5f5e59;--rule:#d9d7d0;--grid:#e9e7e1;--band:#f4f2ec;
--c0:#6f6e69;--c1:#d98c00;--c2:#0067a8;--c3:#3fa3dc;--c4:#00866a;--c5:#b84c8c;--c6:#cf4f00;--c7:#8a7a00;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--paper:#161715;--ink:#e8e6df;--soft:#a3a099;--rule:#3d3c38;--grid:#2a2a27;
--band:#1f201d;--c0:#b5b3ab;--c1:#f0ad2e;--c2:#4d9fe0;--c3:#9bd5fa;--c4:#35c79f;--c5:#e58cc0;--c6:#ff8a4a;--c7:#d8c83a;
--bad:#ff8a80}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0 auto;padding:2.2rem 1rem 4rem;max-width:1440px;background:var(--paper);color:var(--ink);
font:1rem/1.5 Charter,"Bitstream Charter","Source Serif 4",Cambria,Georgia,serif}
h1{font-size:2rem;line-height:1.15;font-weight:600;margin:0 0 .3rem;letter-spacing:-.01em}
h2{font-size:1.3rem;font-weight:600;margin:3rem 0 .3rem;padding-top:.7rem;border-top:1px solid var(--rule)}
h3{font-size:1.05rem;font-weight:600;margin:1.6rem 0 .2rem}
p{max-width:46rem;margin:.3rem 0 .8rem}
.lead,.note,figcaption,summary{color:var(--soft)}
nav{margin:1rem 0 0;display:flex;flex-wrap:wrap;gap:.2rem 1.2rem}
a{color:inherit;text-underline-offset:.18em;text-decoration-color:var(--rule)}
a:hover,a:focus{text-decoration-color:currentColor}
svg,table,figcaption,.note,summary,nav{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
nav,summary{font-size:.88rem}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,400px),1fr));gap:1.8rem 2.6rem;margin:1rem 0;
align-items:start}
figure{margin:0;min-width:0;max-width:560px}
figcaption{font-size:.86rem;font-weight:600;color:var(--ink);margin-bottom:.5rem;overflow-wrap:anywhere}
.note{font-size:.76rem;line-height:1.4;margin:.3rem 0 0;overflow-wrap:anywhere}
.note b{font-weight:600;color:var(--ink)}
svg{display:block;width:100%;height:auto;overflow:visible}
svg text{fill:var(--ink)}
svg .t{font-size:11px;fill:var(--soft)}
svg .l{font-size:11.5px}
svg .b{font-size:12.5px;font-weight:600}
svg .v{font-size:11.5px;font-variant-numeric:tabular-nums}
.grid{stroke:var(--grid)}
.axis,.one{stroke:var(--soft)}
.leader{stroke:var(--rule)}
.roof{stroke:var(--c);stroke-dasharray:5 3;fill:none}
.front{stroke:var(--soft);stroke-width:1;stroke-dasharray:1.5 3;fill:none}
.truth{stroke:var(--ink);stroke-width:1.1;stroke-dasharray:4 3;fill:none}
.s0{--c:var(--c0)}.s1{--c:var(--c1)}.s2{--c:var(--c2)}.s3{--c:var(--c3)}
.s4{--c:var(--c4)}.s5{--c:var(--c5)}.s6{--c:var(--c6)}.s7{--c:var(--c7)}
.mark{fill:var(--c);stroke:var(--paper);stroke-width:.9}
.mark.hollow{fill:var(--paper);stroke:var(--c);stroke-width:1.5}
.curve{stroke:var(--c);stroke-width:1.6;fill:none;stroke-linejoin:round}
.whisker{stroke:var(--c);stroke-width:1.4}
.bar{fill:var(--c)}
.bar.noisy{fill-opacity:.35;stroke:var(--c)}
.error{stroke:var(--ink);stroke-width:1.2}
.cover{fill:var(--paper)}
.tip:hover .mark{stroke:var(--ink)}
.scroll{overflow-x:auto;margin:.8rem 0;max-width:100%}
table{border-collapse:collapse;font-size:.8rem;line-height:1.35;font-variant-numeric:tabular-nums}
th,td{padding:.28rem .9rem .28rem 0;text-align:left;vertical-align:baseline;white-space:nowrap}
td.p{white-space:normal;min-width:16rem;max-width:40rem}
th{font-weight:600;border-bottom:1px solid var(--soft);vertical-align:bottom}
td{border-bottom:1px solid var(--grid)}
.n{text-align:right}
tbody tr:hover{background:var(--band)}
tr.failed td{color:var(--bad)}
tr.unsupported td{color:var(--soft)}
tr.noisy td{font-style:italic}
.sorts th{cursor:pointer}
.sorts th:focus-visible{outline:2px solid var(--c2)}
th[aria-sort]::after{content:" \2191"}
th[aria-sort=descending]::after{content:" \2193"}
details{margin:.8rem 0}
summary{cursor:pointer}
.answer{max-width:60rem;padding-left:1.2rem;margin:.4rem 0 0}
.answer li{margin:.15rem 0}
.warning{color:var(--bad);font-weight:600;max-width:60rem}
@page{margin:12mm}
@media print{:root{color-scheme:light;--paper:#fff;--ink:#000;--soft:#444;--rule:#bbb;--grid:#ddd}
body{max-width:none;padding:0;font-size:.8rem}nav{display:none}h2{margin-top:1.4rem}h2,h2+p{break-after:avoid}
figure,tr,li{break-inside:avoid}.figures{grid-template-columns:1fr 1fr;gap:1.2rem 1.6rem}
.scroll{overflow:visible}table{font-size:.55rem}th,td{padding:.15rem .4rem .15rem 0;white-space:normal}
td.p{min-width:8rem}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)css";

const char* const page_script = R"js(
for (const table of document.querySelectorAll("table.sorts")) {
  const heads = Array.from(table.tHead.rows[0].cells), body = table.tBodies[0];
  const key = (row, i) => { const v = row.cells[i].dataset.v; return v === undefined ? row.cells[i].textContent : Number(v); };
  const compare = (a, b) => {
    if (a === "" || b === "") return a === b ? 0 : a === "" ? 1 : -1;
    if (typeof a === typeof b) return typeof a === "number" ? a - b : a.localeCompare(b, undefined, {numeric: true});
    return typeof a === "number" ? -1 : 1;
  };
  heads.forEach((head, i) => {
    const sort = () => {
      const number = head.classList.contains("n"), now = head.getAttribute("aria-sort");
      const down = now ? now === "ascending" : number;
      heads.forEach(h => h.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = Array.from(body.rows).map(row => [key(row, i), row]);
      const empty = k => k === "" || (number ? typeof k !== "number" : false);
      rows.sort((a, b) => empty(a[0]) || empty(b[0]) ? empty(a[0]) - empty(b[0]) : (down ? -1 : 1) * compare(a[0], b[0]));
      rows.forEach(r => body.append(r[1]));
    };
    head.tabIndex = 0;
    head.title = "Sort by this column";
    head.onclick = sort;
    head.onkeydown = e => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); sort(); } };
  });
}
)js";

}  // namespace backlit::report
