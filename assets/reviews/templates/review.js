"use strict";
(() => {
  // Everything from data goes through textContent, so that whatever a model or a source says stays text.
  const data = JSON.parse(document.getElementById("data").textContent);
  const by = (id) => document.getElementById(id);
  const filters = by("filters"), desk = by("desk"), entries = by("entries");
  const STEP = 50;
  const LABELS = { accept: "Accept", reject: "Reject", dispute: "Dispute", correct: "Correct" };
  const items = new Map(data.items.map((item) => [item.id, item]));

  function make(tag, text, className) {
    const element = document.createElement(tag);
    if (text !== undefined && text !== null) element.textContent = text;
    if (className) element.className = className;
    return element;
  }
  function quoted(tag, text, className) {
    const element = make(tag, text, "quoted" + (className ? " " + className : ""));
    element.dir = "auto";
    return element;
  }

  const { of, change, whole } = decisionsOf(data, mark);

  // One item.
  function states(item) {
    const place = make("span", null, "states");
    const chosen = of(item.id).decision;
    place.append(make("span", item.status + (item.dropped_by ? " by " + item.dropped_by : ""), "state " + item.status));
    if (item.reviews && !chosen) place.append(make("span", "reviewed: " + item.reviews.at(-1)[0], "state"));
    if (chosen) place.append(make("span", whole(item.id) ? chosen : chosen + ": nothing changed yet", "state chosen " + chosen));
    return place;
  }
  function mark(id) {
    const place = entries.querySelector("[data-id=" + CSS.escape(id) + "]");
    if (!place) return;
    place.classList.toggle("decided", Boolean(whole(id)));
    place.querySelector(".states").replaceWith(states(items.get(id)));
    for (const button of place.querySelectorAll(".choices button")) button.setAttribute("aria-pressed", button.value === of(id).decision);
    const fields = place.querySelector("fieldset");
    if (fields) fields.hidden = of(id).decision !== "correct";
  }
  function pairs(rows) {
    const list = make("dl", null, "facts-of");
    for (const [name, value] of rows) {
      if (value === undefined || value === null || value === "") continue;
      const said = make("dd");
      said.append(typeof value === "object" ? value : quoted("span", String(value)));
      list.append(make("dt", name), said);
    }
    return list;
  }
  function link(source) {
    if (!/^https?:\/\//i.test(source.href || "")) return quoted("span", source.name);
    const found = quoted("a", source.name);
    found.href = source.href;
    found.target = "_blank";
    found.rel = "noreferrer noopener";
    return found;
  }
  function difference(parts) {
    const place = make("span", null, "quoted");
    for (const [kind, text] of parts) place.append(make({ "=": "span", "-": "del", "+": "ins" }[kind], text));
    return place;
  }
  function changed(list) {
    return list.map(([name, parts]) => {
      const line = make("div", name === "answer" ? "Gold: " : "Question: ", "change");
      line.append(difference(parts));
      return line;
    });
  }
  function history(rows) {
    const list = make("ol", null, "history");
    for (const row of rows) list.append(row);
    return list;
  }
  function verdictRow([pass, verdict, reason, by, parts]) {
    const row = make("li");
    row.append(make("b", pass), " ", make("span", verdict, "verdict " + verdict), " ", make("span", by, "soft"), quoted("div", reason), ...changed(parts));
    return row;
  }
  function reviewRow([decision, reviewer, at, note, parts]) {
    const row = make("li");
    row.append(make("b", decision), " ", quoted("span", reviewer), " ", make("span", at, "soft"));
    if (note) row.append(quoted("div", note));
    row.append(...changed(parts));
    return row;
  }
  function passage(card) {
    const place = quoted("blockquote", card.before || "");
    place.append(make("mark", card.excerpt), card.after || "");
    return place;
  }
  function field(name, label, value, rows, put) {
    const place = make("label", label, "field"), input = make("textarea");
    input.name = name;
    input.rows = rows;
    input.dir = "auto";
    input.value = value;
    input.addEventListener("input", () => put(input.value));
    place.append(input);
    return place;
  }
  function choices(item) {
    const group = make("div", null, "choices");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", "Decision");
    for (const [name, label] of Object.entries(LABELS)) {
      const button = make("button", label);
      button.type = "button";
      button.value = name;
      button.addEventListener("click", () => choose(item.id, of(item.id).decision === name ? undefined : name));
      group.append(button);
    }
    return group;
  }
  function choose(id, decision) {
    change(id, { decision });
    if (decision === "correct") entries.querySelector("[data-id=" + CSS.escape(id) + "] fieldset textarea").focus();
  }
  function correction(item) {
    const place = make("fieldset"), noted = of(item.id);
    place.append(make("legend", "Corrected item"));
    place.append(field("question", "Question", noted.question ?? item.question, 3, (question) => change(item.id, { question })));
    place.append(field("answer", item.options ? "Gold (the option's letter)" : "Gold", noted.answer ?? item.answer, 1, (answer) => change(item.id, { answer })));
    place.append(field("aliases", "Also right, one a line", noted.aliases ?? (item.aliases || []).join("\n"), 3, (aliases) => change(item.id, { aliases })));
    return place;
  }
  function fill(details, item) {
    if (details.children.length > 1) return;
    const inside = make("div"), card = item.card, source = item.source;
    if (item.options) {
      const options = make("ol");
      options.type = "A";
      for (const option of item.options) options.append(quoted("li", option));
      inside.append(options);
    }
    inside.append(pairs([
      ["Also right", (item.aliases || []).join("; ")], ["Fact", card && card.fact],
      ["Source", source && link(source)], ["Titled", source && source.title], ["Section", card && card.section],
      ["Published", source && source.published], ["Tier", source && source.tier], ["Topic", item.topic],
    ]));
    if (card) {
      inside.append(passage(card));
      if (!card.found) inside.append(make("p", "The excerpt does not stand in the source as it was read last.", "warn"));
    }
    inside.append(choices(item), correction(item));
    inside.append(field("note", "Note", of(item.id).note || "", 2, (note) => change(item.id, { note })));
    if (item.reviews) inside.append(make("h3", "Earlier reviews"), history(item.reviews.map(reviewRow)));
    if (item.verdicts) inside.append(make("h3", "What the passes decided"), history(item.verdicts.map(verdictRow)));
    inside.append(make("h3", "About this item"), pairs([
      ["Id", item.id], ["Split", item.split], ["Answer type", item.type], ["Language", item.language],
      ["Difficulty", item.difficulty && item.difficulty + " of the panel missed it"], ["Answerable from", item.since],
      ["About", card && card.about], ["Card's quality", card && card.quality + " of 5, by " + card.generator],
    ]));
    details.append(inside);
    mark(item.id);
  }
  function entry(item) {
    const details = make("details"), summary = make("summary");
    details.dataset.id = item.id;
    details.classList.toggle("decided", Boolean(whole(item.id)));
    summary.append(quoted("span", item.question, "asked"), states(item), quoted("span", item.answer, "gold"));
    details.append(summary);
    details.addEventListener("toggle", () => {
      if (!details.open || !details.isConnected) return;  // a page that was left may still have its say
      fill(details, item);
      if (!printing) for (const other of entries.children) if (other !== details) other.open = false;
    });
    return details;
  }

  // The list: what the filters leave, fifty at a time.
  let found = [], first = 0, printing = false;
  const want = () => Object.fromEntries(new FormData(filters));
  function matches(item, wanted) {
    if (wanted.topic && item.topic !== wanted.topic) return false;
    if (wanted.status && item.status !== wanted.status) return false;
    if (wanted.dropped && item.dropped_by !== wanted.dropped) return false;
    if (wanted.review === "new" && item.reviews || wanted.review === "old" && !item.reviews) return false;
    if (wanted.review === "decided" && !whole(item.id) || wanted.review === "undecided" && whole(item.id)) return false;
    if (!wanted.words) return true;
    const card = item.card || {}, source = item.source || {};
    const texts = [item.id, item.question, item.answer, ...(item.aliases || []), card.fact, card.about, card.excerpt, source.name, source.title];
    return texts.join("\n").toLowerCase().includes(wanted.words.toLowerCase());
  }
  function options(name, values) {
    const counts = new Map();
    for (const value of values) if (value) counts.set(value, (counts.get(value) || 0) + 1);
    for (const [value, count] of counts) filters.elements[name].add(new Option(value + " (" + count + ")", value));
    filters.elements[name].closest("label").hidden = counts.size === 0;
  }
  function show() {
    const last = Math.min(first + STEP, found.length);
    entries.replaceChildren(...found.slice(first, last).map(entry));
    by("count").textContent = found.length + (found.length === 1 ? " item" : " items") + (found.length > STEP ? ", " + (first + 1) + " to " + last + " listed" : "");
    by("pages").hidden = found.length <= STEP;
    by("place").textContent = (first + 1) + " to " + last + " of " + found.length;
    by("back").disabled = first === 0;
    by("on").disabled = last >= found.length;
  }
  function refresh() {
    const wanted = want();
    found = data.items.filter((item) => matches(item, wanted));
    first = 0;
    show();
  }
  function turn(by) {
    if (first + by < 0 || first + by >= found.length) return false;
    first += by;
    show();
    return true;
  }
  by("back").addEventListener("click", () => { turn(-STEP); entries.scrollIntoView(); });
  by("on").addEventListener("click", () => { turn(STEP); entries.scrollIntoView(); });
  filters.addEventListener("submit", (event) => event.preventDefault());
  filters.addEventListener("input", refresh);

  // Keys.
  const opened = () => entries.querySelector("details[open]");
  function visit(details) {
    if (!details) return;
    details.open = true;
    fill(details, items.get(details.dataset.id));
    for (const other of entries.children) if (other !== details) other.open = false;
    details.style.setProperty("--desk", desk.offsetHeight + 8 + "px");
    details.firstChild.focus({ preventScroll: true });
    details.scrollIntoView({ block: "start" });
  }
  function move(by) {
    const here = opened();
    if (!here) return visit(by > 0 ? entries.firstElementChild : entries.lastElementChild);
    const next = by > 0 ? here.nextElementSibling : here.previousElementSibling;
    if (next) visit(next);
    else if (turn(by * STEP)) visit(by > 0 ? entries.firstElementChild : entries.lastElementChild);
  }
  const inField = (target) => target.closest && target.closest("input, textarea, select");
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const here = opened();
    if (inField(event.target)) {
      if (event.key === "Escape") { event.target.blur(); if (here) here.firstChild.focus(); }
      return;
    }
    const decided = { a: "accept", r: "reject", d: "dispute" }[event.key];
    if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "/") filters.elements.words.focus();
    else if (here && decided) { change(here.dataset.id, { decision: decided }); move(1); }
    else if (here && event.key === "c") choose(here.dataset.id, "correct");
    else if (here && event.key === "n") here.querySelector("[name=note]").focus();
    else return;
    event.preventDefault();
  });

  // On paper every listed item stands open, and so does the summary.
  let before = null;
  addEventListener("beforeprint", () => {
    printing = true;
    before = opened();
    for (const details of entries.children) { details.open = true; fill(details, items.get(details.dataset.id)); }
    for (const part of document.querySelectorAll(".summary")) part.open = true;
  });
  addEventListener("afterprint", () => {
    printing = false;
    for (const details of entries.children) details.open = details === before;
  });

  options("topic", data.items.map((item) => item.topic));
  options("status", data.items.map((item) => item.status));
  options("dropped", data.items.map((item) => item.dropped_by));
  filters.hidden = desk.hidden = !data.items.length;
  if (!data.items.length) { by("count").textContent = "There are no items yet."; return; }
  refresh();
  if (entries.firstElementChild) { entries.firstElementChild.open = true; }
})();
