// Draws the page that the element #data describes. All texts become text nodes, never markup.
"use strict";
(() => {
  // Okabe and Ito's palette, which people with any colour vision can tell apart.
  const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8f98", "#a6761d",
                   "#7b61c4", "#b3261e", "#4d9221", "#666666"];
  const MOST_ROWS = 200; // of the table next to a chart
  const drawn = [];

  const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function element(tag, options = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(options)) {
      node.setAttribute(name, value);
    }
    node.append(...children);
    return node;
  }

  function digits(value, count = 4) {
    if (value === 0) {
      return "0";
    }
    const size = Math.abs(value);
    return size >= 1e6 || size < 1e-3 ? value.toExponential(2) : Number(value.toPrecision(count)).toString();
  }

  function scaled(value, steps, names) {
    let unit = 0;
    while (unit + 1 < names.length && Math.abs(value) >= steps) {
      value /= steps;
      ++unit;
    }
    return `${digits(value)} ${names[unit]}`.trim();
  }

  function shown(value, unit) {
    if (value === null || value === undefined) {
      return "";
    }
    if (typeof value === "string") {
      return value;
    }
    switch (unit) {
      case "share": return `${(100 * value).toFixed(1)} %`;
      case "s": return Math.abs(value) >= 1 || value === 0 ? `${digits(value)} s`
        : Math.abs(value) >= 1e-3 ? `${digits(1e3 * value)} ms` : `${digits(1e6 * value)} µs`;
      case "B": return scaled(value, 1024, ["B", "KiB", "MiB", "GiB", "TiB"]);
      case "B/s": return scaled(value, 1000, ["B/s", "kB/s", "MB/s", "GB/s", "TB/s"]);
      case "FLOP/s": return scaled(value, 1000, ["FLOP/s", "kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s"]);
      case "": return digits(value, 6);
      default: return `${digits(value)} ${unit}`;
    }
  }

  function table(model) {
    const isNumber = model.columns.map((_, column) => model.rows.some((row) => typeof row[column] === "number"));
    const name = (column, index) =>
      element("th", { scope: "col", ...(isNumber[index] ? { class: "number" } : {}) }, column.name);
    const cell = (value, index) =>
      element("td", isNumber[index] ? { class: "number", ...(value === null ? {} : { "data-value": value }) } : {},
              shown(value, model.columns[index].unit));
    const node = element("table", {}, element("thead", {}, element("tr", {}, ...model.columns.map(name))),
      element("tbody", {}, ...model.rows.map((row) => element("tr", {}, ...row.map(cell)))));
    if (model.title) {
      node.prepend(element("caption", {}, model.title));
    }
    return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": model.title || "table" }, node);
  }

  // The values of all lines, a row for each place on the horizontal axis.
  function tableOf(chart) {
    const places = [...new Set(chart.lines.flatMap((line) => line.x))].sort((a, b) => a - b);
    const stride = Math.ceil(places.length / MOST_ROWS) || 1;
    const kept = places.filter((_, index) => (places.length - 1 - index) % stride === 0);
    const values = chart.lines.map((line) => new Map(line.x.map((x, index) => [x, line.y[index]])));
    return {
      title: stride > 1 ? `${chart.title}: one of ${stride} points` : chart.title,
      columns: [{ name: chart.x, unit: "" }, ...chart.lines.map((line) => ({ name: line.name, unit: "" }))],
      rows: kept.map((x) => [x, ...values.map((line) => line.get(x) ?? null)]),
    };
  }

  function summary(chart) {
    const ends = chart.lines.map((line) => {
      const known = line.y.filter((value) => value !== null);
      return known.length === 0 ? `${line.name}: no values`
        : `${line.name} from ${digits(known[0])} to ${digits(known[known.length - 1])}`;
    });
    return `${chart.title}, ${chart.y} by ${chart.x}: ${ends.join(", ")}`;
  }

  // The first steps may take a hundred times as long as others. Returns where the axis ends if it would hide the rest,
  // else nothing.
  function cutOf(chart) {
    if (!chart.stacked || chart.lines.length === 0) {
      return undefined;
    }
    const sums = chart.lines[0].x.map((_, at) => chart.lines.reduce((sum, line) => sum + (line.y[at] ?? 0), 0));
    sums.sort((a, b) => a - b);
    const usual = 1.25 * sums[Math.floor(0.9 * (sums.length - 1))];
    return usual > 0 && sums[sums.length - 1] > 3 * usual ? Number(usual.toPrecision(2)) : undefined;
  }

  function draw(canvas, chart) {
    const ink = style("--faint");
    const rule = style("--rule");
    const axis = (title) => ({ title: { display: true, text: title, color: ink }, ticks: { color: ink, maxTicksLimit: 7 },
                               grid: { color: rule } });
    return new Chart(canvas, {
      type: "line",
      data: {
        datasets: chart.lines.map((line, index) => ({
          label: line.name,
          data: line.x.map((x, at) => ({ x, y: line.y[at] })),
          borderColor: COLOURS[index % COLOURS.length],
          backgroundColor: COLOURS[index % COLOURS.length] + (chart.stacked ? "b0" : "30"),
          borderWidth: chart.stacked ? 1 : 2,
          pointRadius: line.x.length < 3 ? 3 : 0,
          pointHitRadius: 8,
          fill: chart.stacked ? (index === 0 ? "origin" : "-1") : false,
        })),
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        spanGaps: !chart.stacked,
        interaction: { mode: "index", intersect: false },
        plugins: { legend: { labels: { color: ink, boxWidth: 12 } } },
        scales: {
          x: { type: "linear", ...axis(chart.x) },
          y: { stacked: chart.stacked, beginAtZero: chart.stacked, max: cutOf(chart), ...axis(chart.y) },
        },
      },
    });
  }

  function figure(chart) {
    const canvas = element("canvas", { role: "img", "aria-label": summary(chart) });
    const rows = element("details", {}, element("summary", {}, "Table"));
    rows.addEventListener("toggle", () => {
      if (rows.open && rows.childElementCount === 1) {
        rows.append(table(tableOf(chart)));
      }
    });
    drawn.push({ canvas, chart });
    const cut = cutOf(chart);
    const title = cut === undefined ? chart.title : `${chart.title} (higher values are cut off at ${cut})`;
    return element("figure", {}, element("figcaption", {}, title), element("div", { class: "canvas" }, canvas), rows);
  }

  function section(model, index) {
    const id = `section-${index}`;
    const node = element("section", { "aria-labelledby": id }, element("h2", { id }, model.title));
    if (model.note) {
      node.append(element("p", { class: "note" }, model.note));
    }
    if (model.charts.length > 0) {
      node.append(element("div", { class: "charts" }, ...model.charts.map(figure)));
    }
    if (model.pictures.length > 0) {
      node.append(element("div", { class: "pictures" }, ...model.pictures.map((picture) =>
        element("figure", {}, element("figcaption", {}, picture.title),
                element("img", { src: picture.source, alt: picture.title })))));
    }
    for (const one of model.tables) {
      node.append(table(one));
    }
    if (model.text) {
      node.append(element("pre", { tabindex: "0", "aria-label": model.title }, model.text));
    }
    return node;
  }

  function show(page) {
    const root = document.getElementById("page");
    root.replaceChildren();
    drawn.length = 0;
    document.title = page.title;
    const head = element("div", { class: "head" }, element("h1", {}, page.title));
    if (page.state) {
      head.append(element("span", { class: `state ${page.state}` }, page.state));
    }
    root.append(head);
    if (page.verdict) {
      root.append(element("p", { class: "verdict" }, page.verdict));
    }
    if (page.progress !== null) {
      root.append(element("progress", { max: 1, value: page.progress, "aria-label": "progress of the training" }));
    }
    if (page.next) {
      root.append(element("p", { class: "next" }, page.next));
    }
    root.append(element("dl", { class: "facts" }, ...page.facts.map((fact) =>
      element("div", {}, element("dt", {}, fact.name), element("dd", {}, fact.value)))));
    root.append(element("nav", { "aria-label": "sections" }, element("ul", {}, ...page.sections.map((one, index) =>
      element("li", {}, element("a", { href: `#section-${index}` }, one.title))))));
    root.append(...page.sections.map(section));
    for (const one of drawn) {
      one.drawing = draw(one.canvas, one.chart);
    }
  }

  const page = JSON.parse(document.getElementById("data").textContent);
  show(page);
  // Charts take their colours when they are drawn.
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const one of drawn) {
      one.drawing.destroy();
      one.drawing = draw(one.canvas, one.chart);
    }
  });
})();
