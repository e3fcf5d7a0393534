// Draws the page that the element #data describes, or that a server sends again and again. All texts become text nodes,
// never markup.
"use strict";
(() => {
  // Okabe and Ito's palette, which people with any colour vision can tell apart.
  const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8f98", "#a6761d",
                   "#7b61c4", "#b3261e", "#4d9221", "#666666"];
  const MOST_ROWS = 200; // of the table next to a chart
  const PAUSES = { running: 2000, starting: 2000 }; // milliseconds between two requests, by the state of the page
  const LONGEST_PAUSE = 10000;
  let shownSections = []; // { model, node, charts } of each section on the page
  let charts = []; // { canvas, chart, drawing } of the section that is being made

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
    if (Number.isInteger(value) && size < 1e12) {
      return value.toString();
    }
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
    if (typeof value === "object") {
      return element("a", { href: value.target }, value.text);
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
    const choice = model.choice;
    const box = (index) => element("td", {}, element("input", { type: "checkbox", name: choice.parameter,
      value: choice.values[index], "aria-label": `choose ${choice.values[index]}` }));
    const row = (cells, index) => element("tr", {}, ...(choice ? [box(index)] : []), ...cells.map(cell));
    const heads = [...(choice ? [element("th", { scope: "col" }, "choose")] : []), ...model.columns.map(name)];
    const node = element("table", {}, element("thead", {}, element("tr", {}, ...heads)),
                         element("tbody", {}, ...model.rows.map(row)));
    if (model.title) {
      node.prepend(element("caption", {}, model.title));
    }
    const region = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": model.title || "table" },
                           node);
    if (!choice) {
      return region;
    }
    const form = element("form", {}, element("button", { type: "submit" }, choice.button), region);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const chosen = [...form.querySelectorAll("input:checked")].map((one) => `${choice.parameter}=${one.value}`);
      location.assign(`${choice.action}?${chosen.join("&")}`);
    });
    return form;
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
    rows.fill = () => {
      if (rows.open && rows.childElementCount === 1) {
        rows.append(table(tableOf(chart)));
      }
    };
    rows.addEventListener("toggle", rows.fill);
    charts.push({ canvas, chart });
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

  // The parts of a section that a user may have opened, chosen, scrolled or focused, by what they are.
  function partsOf(node) {
    const parts = new Map();
    for (const one of node.querySelectorAll("details, summary, input, button, a, pre, .scroll")) {
      const name = one.value || one.getAttribute("aria-label") || one.getAttribute("href") ||
        one.closest("figure")?.querySelector("figcaption").textContent || "";
      parts.set(`${one.tagName} ${name}`, one);
    }
    return parts;
  }

  // Puts a new node in the place of an old one, and keeps what the user did to the old one.
  function replace(before, after) {
    const old = partsOf(before);
    for (const [key, one] of partsOf(after)) {
      if (one.tagName === "DETAILS" && old.get(key)?.open) {
        one.open = true;
        one.fill();
      }
    }
    const fresh = partsOf(after);
    const places = [];
    let focus = null;
    for (const [key, one] of old) {
      const same = fresh.get(key);
      if (!same) {
        continue;
      }
      if (one.checked) {
        same.checked = true;
      }
      if (one.scrollLeft > 0 || one.scrollTop > 0) {
        places.push([same, one.scrollLeft, one.scrollTop]);
      }
      if (one === document.activeElement) {
        focus = same;
      }
    }
    before.replaceWith(after);
    places.forEach(([node, left, top]) => node.scrollTo(left, top));
    focus?.focus({ preventScroll: true });
  }

  function head(page) {
    const title = element("div", { class: "head" }, element("h1", {}, page.title));
    if (page.state) {
      title.append(element("span", { class: `state ${page.state}` }, page.state));
    }
    const nodes = [];
    if (page.links.length > 0) {
      nodes.push(element("nav", { "aria-label": "pages" }, element("ul", {}, ...page.links.map((link) =>
        element("li", {}, element("a", { href: link.target }, link.text))))));
    }
    nodes.push(title);
    if (page.verdict) {
      nodes.push(element("p", { class: "verdict" }, page.verdict));
    }
    if (page.progress !== null) {
      nodes.push(element("progress", { max: 1, value: page.progress, "aria-label": "progress of the training" }));
    }
    if (page.next) {
      nodes.push(element("p", { class: "next" }, page.next));
    }
    nodes.push(element("dl", { class: "facts" }, ...page.facts.map((fact) =>
      element("div", {}, element("dt", {}, fact.name), element("dd", {}, fact.value)))));
    if (page.sections.length > 1) {
      nodes.push(element("nav", { "aria-label": "sections" }, element("ul", {}, ...page.sections.map((one, index) =>
        element("li", {}, element("a", { href: `#section-${index}` }, one.title))))));
    }
    return element("header", {}, ...nodes);
  }

  // Nodes that are the same as before stay on the page as they are.
  function show(page) {
    const root = document.getElementById("page");
    document.title = page.title;
    const header = head(page);
    const former = root.querySelector("header");
    if (!former) {
      root.replaceChildren(header);
    } else if (former.outerHTML !== header.outerHTML) {
      replace(former, header);
    }
    const before = shownSections;
    const kept = new Set();
    shownSections = page.sections.map((model, index) => {
      const text = JSON.stringify(model);
      const old = before.find((one) => one.title === model.title && !kept.has(one));
      kept.add(old);
      if (old?.text === text) {
        return old;
      }
      charts = [];
      const one = { title: model.title, text, node: section(model, index), charts };
      if (old) {
        replace(old.node, one.node);
        old.charts.forEach((chart) => chart.drawing.destroy());
      }
      return one;
    });
    for (const old of before.filter((one) => !kept.has(one))) {
      old.node.remove();
      old.charts.forEach((chart) => chart.drawing.destroy());
    }
    let previous = root.querySelector("header");
    shownSections.forEach((one, index) => {
      if (previous.nextSibling !== one.node) {
        previous.after(one.node);
      }
      previous = one.node;
      one.node.querySelector("h2").id = `section-${index}`;
      one.node.setAttribute("aria-labelledby", `section-${index}`);
      for (const chart of one.charts) {
        chart.drawing ??= draw(chart.canvas, chart.chart);
      }
    });
  }

  // Charts take their colours when they are drawn.
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const one of shownSections.flatMap((shownSection) => shownSection.charts)) {
      one.drawing.destroy();
      one.drawing = draw(one.canvas, one.chart);
    }
  });

  function notice(text) {
    let node = document.getElementById("notice");
    if (!node) {
      node = element("p", { id: "notice", role: "status" });
      document.body.prepend(node);
    }
    node.textContent = text;
    node.hidden = text === "";
  }

  async function follow(source) {
    let state = "running";
    let version = "";
    for (;;) {
      try {
        const answer = await fetch(source, { headers: version ? { "If-None-Match": version } : {}, cache: "no-store" });
        if (answer.status === 200) {
          const page = await answer.json();
          version = answer.headers.get("ETag") ?? "";
          state = page.state;
          show(page);
        } else if (answer.status !== 304) {
          throw new Error(await answer.text());
        }
        notice("");
      } catch (problem) {
        notice(problem instanceof TypeError ? "The server does not answer. What you see may be old." : problem.message);
      }
      do {
        await new Promise((resolve) => setTimeout(resolve, PAUSES[state] ?? LONGEST_PAUSE));
      } while (document.hidden);
    }
  }

  const data = document.getElementById("data");
  if (data) {
    show(JSON.parse(data.textContent));
  } else {
    follow(document.body.dataset.source);
  }
})();
