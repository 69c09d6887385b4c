"use strict";
// What a reviewer decides: in memory and in the browser's storage, until it is saved to a file.
// `changed` is called with an item's id after each change.
function decisionsOf(data, changed) {
  const by = (id) => document.getElementById(id);
  const desk = by("desk"), reviewer = desk.elements.reviewer;
  const items = new Map(data.items.map((item) => [item.id, item]));
  const state = { reviewer: "", notes: {}, saved: "[]" };
  let stored = true;
  try {
    Object.assign(state, JSON.parse(localStorage.getItem(data.store) || "{}"));
  } catch { stored = false; }

  function keep() {
    try { localStorage.setItem(data.store, JSON.stringify(state)); } catch { stored = false; }
    tell();
  }
  const of = (id) => state.notes[id] || {};
  function change(id, values) {
    state.notes[id] = { ...of(id), ...values };
    keep();
    changed(id);
  }
  const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);
  // What a correction changes; a field that says what the item says already changes nothing.
  function changes(id) {
    const item = items.get(id), noted = of(id), found = {};
    for (const name of ["question", "answer"]) {
      const text = (noted[name] ?? item[name]).trim();
      if (text && text !== item[name]) found[name] = text;
    }
    if (noted.aliases !== undefined) {
      const wanted = lines(noted.aliases);
      if (JSON.stringify(wanted) !== JSON.stringify(item.aliases || [])) found.aliases = wanted;
    }
    return found;
  }
  const whole = (id) => of(id).decision && (of(id).decision !== "correct" || Object.keys(changes(id)).length > 0);
  function decisions() {
    return data.items.filter((item) => whole(item.id)).map((item) => {
      const noted = of(item.id), note = (noted.note || "").trim();
      return {
        item_id: item.id, decision: noted.decision, ...(note ? { note } : {}),
        question_version: item.question_version, answer_version: item.answer_version,
        ...(noted.decision === "correct" ? changes(item.id) : {}),
      };
    });
  }
  const unsaved = () => JSON.stringify(decisions()) !== state.saved;

  function tell() {
    const made = decisions(), before = new Set(JSON.parse(state.saved).map((one) => JSON.stringify(one)));
    const fresh = made.filter((one) => !before.has(JSON.stringify(one))).length;
    const begun = data.items.filter(({ id }) => !whole(id) && (of(id).decision || (of(id).note || "").trim())).length;
    const saving = fresh ? ", " + fresh + " not saved" : unsaved() ? ", changes not saved" : made.length ? ", all saved" : "";
    by("progress").textContent = made.length + " decided, " + (data.items.length - made.length) + " undecided" + saving
      + (begun ? "; " + begun + (begun === 1 ? " is" : " are") + " begun only" : "")
      + (stored ? "" : ". This browser keeps nothing: save before you leave");
    by("save").disabled = !made.length;
  }
  function say(text) {
    by("told").textContent = text;
    by("told").hidden = !text;
  }
  function save() {
    const made = decisions(), who = state.reviewer.trim();
    if (!who) {
      say("Enter your name first: it is recorded with each decision.");
      reviewer.focus();
      return;
    }
    const content = { format: data.format, domain: data.domain, saved_at: new Date().toISOString(), reviewer: who, decisions: made };
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(content, null, 1) + "\n"], { type: "application/json" }));
    link.download = data.file;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    state.saved = JSON.stringify(made);
    keep();
    say("Saved " + made.length + (made.length === 1 ? " decision" : " decisions") + " as " + data.file
      + ". Take them into the bank: factsweep review --apply " + data.file);
  }

  by("save").addEventListener("click", save);
  addEventListener("beforeunload", (event) => { if (unsaved()) event.preventDefault(); });
  desk.addEventListener("submit", (event) => event.preventDefault());
  reviewer.value = state.reviewer;
  reviewer.addEventListener("input", () => { state.reviewer = reviewer.value; say(""); keep(); });
  tell();
  return { of, change, whole };
}
