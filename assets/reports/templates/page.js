"use strict";
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // Charts: one theme from the page's own colours, drawn anew when these change or the page is printed.
  const specs = read("charts");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const paper = matchMedia("print");
  function theme() {
    const ink = colour("--ink"), soft = colour("--soft"), line = colour("--line");
    const narrow = innerWidth < 640;
    return {
      axisY: { labelLimit: narrow ? 110 : 260 },
      background: "transparent", font: "system-ui, sans-serif",
      axis: { labelColor: ink, titleColor: soft, gridColor: line, domainColor: line, tickColor: line, labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal" },
      legend: { columns: narrow ? 2 : 0, labelColor: ink, titleColor: soft, labelFontSize: 12, titleFontWeight: "normal" },
      text: { color: ink }, rule: { color: soft }, view: { stroke: null },
    };
  }
  // Specs name the page's colours as var(--name).
  function coloured(part) {
    if (Array.isArray(part)) return part.map(coloured);
    if (part && typeof part === "object") return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, coloured(value)]));
    return typeof part === "string" && part.startsWith("var(--") ? colour(part.slice(4, -1)) : part;
  }
  function draw() {
    for (const place of document.querySelectorAll("[data-chart]")) {
      const spec = coloured(specs[place.dataset.chart]);
      vegaEmbed(place, spec, { actions: false, renderer: "svg", config: theme(), tooltip: { theme: dark.matches ? "dark" : "light" } })
        .then(() => {
          // Vega names the place after itself; the page's own words are better.
          place.setAttribute("role", "img");
          place.setAttribute("aria-label", place.dataset.alt);
          place.removeAttribute("aria-roledescription");
          place.querySelector("svg").setAttribute("aria-hidden", "true");
        })
        .catch((error) => { place.textContent = "The chart could not be drawn: " + error.message; });
    }
  }
  if (Object.keys(specs).length) {
    draw();
    dark.addEventListener("change", draw);
    paper.addEventListener("change", draw);
  }

  addEventListener("beforeprint", () => { for (const part of document.querySelectorAll(".model details")) part.open = true; });

  // Items: built from data with textContent only, so that whatever a model or a source says stays text.
  const data = read("data");
  const form = document.getElementById("filters"), list = document.getElementById("list");
  const count = document.getElementById("count"), more = document.getElementById("more");
  const STEP = 40;
  const fields = ["domain", "topic", "model", "grade", "words"];
  let found = [], shown = 0;
  if (!data.items.length) return;
  form.hidden = false;

  function make(tag, text, className) {
    const element = document.createElement(tag);
    if (text !== undefined && text !== null) element.textContent = text;
    if (className) element.className = className;
    return element;
  }
  function options(name, pairs) {
    const select = form.elements[name], kept = select.value;
    select.length = 1;
    for (const [value, label] of pairs) select.add(new Option(label, value));
    select.value = kept;
    if (select.selectedIndex < 0) select.value = "";
  }
  function topicOptions() {
    const domain = form.elements.domain.value;
    const names = new Set(data.items.filter((item) => !domain || data.domains[item.d][0] === domain).map((item) => item.t));
    options("topic", [...names].sort().map((name) => [name, name]));
  }
  options("domain", data.domains);
  options("model", data.models.map((model) => [model, model]));
  options("grade", data.grades.map((grade) => [grade[0], grade[1]]));
  topicOptions();

  function matches(item, want) {
    if (want.domain && data.domains[item.d][0] !== want.domain) return false;
    if (want.topic && item.t !== want.topic) return false;
    if (want.words && !(item.q + " " + item.i + " " + item.g).toLowerCase().includes(want.words.toLowerCase())) return false;
    if (!want.model && !want.grade) return true;
    return item.a.some((answer) =>
      (!want.model || data.models[answer[0]] === want.model) && (!want.grade || data.grades[answer[1]][0] === want.grade));
  }
  function answerRow(answer) {
    const row = make("tr");
    const [name, label] = data.grades[answer[1]];
    row.append(make("th", data.models[answer[0]] + (answer[4] ? ", sample " + answer[4] : "")));
    row.firstChild.scope = "row";
    row.append(make("td", label, "grade " + name), make("td", answer[2], "said"), make("td", data.reasons[answer[3]], "soft"));
    return row;
  }
  function source(url) {
    const line = make("p", "Source: ", "soft");
    if (!url) line.append("none given");
    else if (/^https?:\/\//i.test(url)) {
      const link = make("a", url);
      link.href = url;
      link.rel = "noreferrer noopener";
      line.append(link);
    } else line.append(url);
    return line;
  }
  function stated(card) {
    const [name, section, before, excerpt, after, link] = card;
    const quote = make("blockquote", null, "passage"), from = make("p", "Stated in ", "soft");
    quote.append(before, make("mark", excerpt), after);
    if (/^https?:\/\//i.test(link)) {
      const there = make("a", name);
      there.href = link;
      there.rel = "noreferrer noopener";
      from.append(there);
    } else from.append(name);
    if (section) from.append(", " + section);
    const block = make("div");
    block.append(from, quote);
    return block;
  }
  function entry(item, want) {
    const details = make("details"), summary = make("summary", item.q);
    if (want.model) {
      for (const answer of item.a) {
        if (data.models[answer[0]] !== want.model) continue;
        const [name, label] = data.grades[answer[1]];
        summary.append(make("span", label, "grade " + name));
      }
    }
    details.append(summary);
    details.addEventListener("toggle", () => {
      if (!details.open || details.children.length > 1) return;
      const inside = make("div");
      inside.append(make("p", item.i + ", " + data.domains[item.d][1] + " / " + item.t, "soft"));
      if (item.o) {
        const choices = make("ol");
        choices.type = "A";
        for (const option of item.o) choices.append(make("li", option));
        inside.append(choices);
      }
      const gold = make("p", "Gold: ");
      gold.append(make("b", item.g));
      if (item.x.length) gold.append(" (also " + item.x.join("; ") + ")");
      inside.append(gold, item.c ? stated(item.c) : source(item.s));
      const scroll = make("div", null, "scroll"), table = make("table"), head = make("thead"), body = make("tbody"), row = make("tr");
      for (const name of ["Model", "Grade", "Answer", "Reason"]) { const cell = make("th", name); cell.scope = "col"; row.append(cell); }
      head.append(row);
      for (const answer of item.a) if (!want.model || data.models[answer[0]] === want.model) body.append(answerRow(answer));
      table.append(head, body);
      scroll.append(table);
      inside.append(scroll);
      details.append(inside);
    });
    return details;
  }
  function grow() {
    const want = wanted();
    for (const item of found.slice(shown, shown + STEP)) list.append(entry(item, want));
    shown = Math.min(shown + STEP, found.length);
    more.hidden = shown >= found.length;
    count.textContent = found.length + (found.length === 1 ? " item" : " items") + (shown < found.length ? ", " + shown + " of them listed" : "");
  }
  function wanted() {
    return Object.fromEntries(fields.map((name) => [name, form.elements[name].value]));
  }
  function refresh() {
    const want = wanted();
    found = data.items.filter((item) => matches(item, want));
    shown = 0;
    list.replaceChildren();
    grow();
  }
  function fromHash() {
    if (!location.hash.startsWith("#items?")) return false;
    const asked = new URLSearchParams(location.hash.slice(7));
    form.reset();
    form.elements.domain.value = asked.get("domain") || "";
    topicOptions();
    for (const name of fields) if (asked.has(name)) form.elements[name].value = asked.get(name);
    let items = null;
    if (asked.has("item")) items = data.items.filter((item) => item.i === asked.get("item") && (!asked.has("domain") || data.domains[item.d][0] === asked.get("domain")));
    if (items) {
      found = items; shown = 0; list.replaceChildren(); grow();
      if (list.firstChild) list.firstChild.open = true;
    } else refresh();
    document.getElementById("items").scrollIntoView();
    return true;
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", (event) => { if (event.target.name === "domain") topicOptions(); refresh(); });
  more.addEventListener("click", grow);
  addEventListener("hashchange", fromHash);
  // A link to where one is already changes no address.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#items?']");
    if (link && link.getAttribute("href") === location.hash) fromHash();
  });
  if (!fromHash()) refresh();
})();
