// The page of `aisle serve`. Whatever comes from a list, a store, or a server is text: it is only ever set as textContent.

// ---------------------------------------------------------------------------------------------------------------- small things

const find = (id) => document.getElementById(id);

/** An element with attributes (functions are listeners, `null` and `false` are left out) and children (texts stay text). */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return element;
}

const number = (value) => value.toLocaleString("en-US");
const plural = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;
const percent = (value, digits = 0) => (value === null || value === undefined ? "n/a" : `${(value * 100).toFixed(digits)}%`);
const clip = (text, length = 80) => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function debounced(milliseconds, action) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), milliseconds);
  };
}

const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const DATE = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });

function moment(text) {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) return make("span", {}, text ?? "");
  const seconds = (date - Date.now()) / 1000;
  const steps = [[60, "second", 1], [3600, "minute", 60], [86400, "hour", 3600], [86400 * 30, "day", 86400]];
  const step = steps.find(([limit]) => Math.abs(seconds) < limit);
  let words = DATE.format(date);
  if (step) words = step[1] === "second" ? "just now" : RELATIVE.format(Math.round(seconds / step[2]), step[1]);
  return make("time", { datetime: text, title: DATE.format(date) }, words);
}

/** What a browser keeps, where it lets a page keep anything. */
const kept = (storage) => ({
  get(name) { try { return storage().getItem(`aisle.${name}`); } catch { return null; } },
  set(name, value) { try { storage().setItem(`aisle.${name}`, value); } catch { /* private mode, or full: it is not kept */ } },
});
const local = kept(() => window.localStorage);
const session = kept(() => window.sessionStorage);

// ------------------------------------------------------------------------------------------------------------------ the server

class Problem extends Error {
  constructor(message, status = 0, retryAfter = 2) {
    super(message);
    Object.assign(this, { status, retryAfter });
  }

  /** Whether the same request may well succeed in a moment. */
  get isBusy() {
    return this.status === 429 || this.status === 503;
  }
}

const state = {
  me: null, stores: [], store: null, layouts: new Map(), // store id → its layout
  token: session.get("token") || null, isOffline: false, view: "list", undoable: [],
};

const mayTeach = () => state.me !== null && ["teach", "check"].includes(state.me.can);

async function request(path, { method = "GET", body, signal } = {}) {
  const headers = { Accept: "application/json" };
  if (state.token) headers.Authorization = `Bearer ${state.token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(path, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body), cache: "no-store" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    offline(true);
    throw new Problem("The server does not answer.");
  }
  offline(false);
  if (response.ok) return response;
  let detail = "";
  try {
    const answer = await response.json();
    detail = answer.detail || answer.title || "";
  } catch { /* not a problem+json: the status says what there is to say */ }
  if (response.status === 401) askForToken(detail);
  throw new Problem(sentence(detail) || `The server answered ${response.status}.`, response.status, Number(response.headers.get("Retry-After")) || 2);
}

async function api(path, options) {
  const response = await request(path, options);
  try {
    return await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("The answer was cut off.");
  }
}

const query = (values) => {
  const text = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "")).toString();
  return text ? `?${text}` : "";
};

function sentence(text) {
  const trimmed = (text ?? "").trim();
  if (!trimmed) return "";
  return trimmed[0].toUpperCase() + trimmed.slice(1) + (/[.!?]$/.test(trimmed) ? "" : ".");
}

function offline(isOffline) {
  if (state.isOffline === isOffline) return;
  state.isOffline = isOffline;
  find("offline").hidden = !isOffline;
  find("offline").textContent = isOffline ? "The server does not answer. Trying again; your list is kept here." : "";
  if (!isOffline) {
    say("The server answers again.");
    if (!state.me) start();
    else refresh({ list: true, view: true });
  }
}

function askForToken(detail) {
  const form = find("token-form");
  find("token-label").textContent = state.token ? `${sentence(detail) || "The token was refused."} Another token:` : "This server needs a token.";
  if (form.hidden) {
    form.hidden = false;
    if (!document.querySelector("dialog[open]")) find("token").focus();
  }
}

find("token-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const token = find("token").value.trim();
  state.token = token || null; // an empty one: none
  session.set("token", token);
  find("token").value = "";
  find("token-form").hidden = true;
  start();
});

// ------------------------------------------------------------------------------------------------------- what happens elsewhere

const stream = { controller: null, wake: null };

async function listen() {
  let pause = 500;
  for (;;) {
    const isWanted = !document.hidden && state.me !== null && find("token-form").hidden;
    if (isWanted) {
      const controller = new AbortController();
      stream.controller = controller;
      let silence = 0;
      const heard = () => {
        clearTimeout(silence);
        silence = setTimeout(() => controller.abort(), 45000); // a comment comes every 15 s
      };
      try {
        heard();
        const response = await request("v1/events", { signal: controller.signal });
        if (stream.isMissed) refresh({ list: true, view: true });
        stream.isMissed = false;
        document.documentElement.dataset.events = "on";
        const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
        let rest = "";
        for (;;) {
          const { done, value } = await reader.read();
          if (done) break;
          heard();
          pause = 500;
          const parts = (rest + value).split(/\r?\n\r?\n/);
          rest = parts.pop();
          for (const part of parts) receive(part);
        }
      } catch { /* cut off: it is tried again below */ }
      clearTimeout(silence);
      stream.controller = null;
      stream.isMissed = true; // something may have happened meanwhile
      document.documentElement.dataset.events = "off";
    }
    await Promise.race([wait(isWanted ? pause : 60000), new Promise((wake) => { stream.wake = wake; })]);
    pause = Math.min(pause * 2, 10000);
  }
}

function receive(text) {
  let [kind, data] = ["message", ""];
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith("event:")) kind = line.slice(6).trim();
    if (line.startsWith("data:")) data += line.slice(5).trim();
  }
  if (!data) return;
  if (kind === "corrections") refresh({ list: true, taught: true });
  if (kind === "suggestions") refresh({ suggestions: true, taught: true });
  if (kind === "stores") {
    state.layouts.clear();
    refresh({ stores: true, list: true, view: true });
  }
}

let hiddenTimer = 0;
document.addEventListener("visibilitychange", () => {
  clearTimeout(hiddenTimer);
  if (document.hidden) hiddenTimer = setTimeout(() => stream.controller?.abort(), 30000); // browsers allow six connections a server
  else stream.wake?.();
});
window.addEventListener("online", () => stream.wake?.());
window.addEventListener("offline", () => stream.controller?.abort()); // is the server lost, too? the next request tells

/** Collects what changed and brings it up to date once. */
const due = {};
const refreshDue = debounced(60, async () => {
  const what = { ...due };
  for (const name of Object.keys(due)) delete due[name];
  try {
    if (what.stores) await loadStores();
    if (what.list) sortList({ isFresh: true });
    if (what.suggestions || what.view) await loadSuggestions();
    if ((what.taught || what.view) && state.view === "taught") await Promise.all([loadTaught(), loadHistory()]);
    if ((what.stores || what.view || what.list) && state.view === "store") await showStore();
    if (what.view && state.view === "report" && !report.data) await loadReport();
  } catch (problem) {
    failed(problem);
  }
});
function refresh(what) {
  Object.assign(due, what);
  refreshDue();
}

// ------------------------------------------------------------------------------------------------------------ saying and undoing

let saidTimer = 0;
function say(text) {
  clearTimeout(saidTimer);
  find("said").textContent = "";
  saidTimer = setTimeout(() => { find("said").textContent = text; }, 50); // the same words twice are said twice
}

const toast = { timer: 0, action: null };

/** A line at the bottom, and for screen readers. `action` can be undone; a problem stays until it is closed. */
function tell(text, { action = null, isProblem = false } = {}) {
  clearTimeout(toast.timer);
  toast.action = action;
  find("toast-text").textContent = text;
  find("toast-undo").hidden = action === null;
  find("toast").classList.toggle("problem", isProblem);
  find("toast").hidden = false;
  say(action !== null && areKeysOn() ? `${text} Press u to undo.` : text);
  if (!isProblem) toast.timer = setTimeout(hideToast, 10000);
}

function hideToast() {
  const box = find("toast");
  if (box.matches(":hover") || box.contains(document.activeElement)) {
    toast.timer = setTimeout(hideToast, 3000);
    return;
  }
  box.hidden = true;
}

function failed(problem) {
  if (problem?.name === "AbortError") return;
  if (problem instanceof Problem && (problem.status === 401 || (problem.status === 0 && state.isOffline))) {
    say(problem.message); // the notice at the top says it, too
    return;
  }
  if (!(problem instanceof Problem)) console.error(problem);
  tell(problem instanceof Problem ? problem.message : "Something on this page went wrong. Reload it.", { isProblem: true });
}

function remember(action) {
  if (Number.isInteger(action)) state.undoable.push(action);
  return Number.isInteger(action) ? action : null;
}

/** What is on its way to the server: who undoes at once, means it. */
const underWay = new Set();
async function change(path, options) {
  const answer = api(path, options);
  underWay.add(answer);
  try {
    return await answer;
  } finally {
    setTimeout(() => underWay.delete(answer)); // after what follows the answer
  }
}

async function undo(action) {
  if (action === undefined) {
    while (underWay.size) {
      await Promise.allSettled(underWay);
      await wait(1);
    }
    action = state.undoable.at(-1);
  }
  if (action === undefined) {
    tell("Nothing was done here that could be undone. Earlier actions are under Taught.");
    return;
  }
  try {
    const answer = await change("v1/undo", { method: "POST", body: { action } });
    tell(`Undone: ${answer.undone}.`);
    state.undoable = state.undoable.filter((each) => each !== action);
  } catch (problem) {
    if (problem.status === 409) state.undoable = state.undoable.filter((each) => each !== action);
    failed(problem);
  }
  refresh({ list: true, suggestions: true, taught: true });
}

find("toast-undo").addEventListener("click", () => {
  const { action } = toast;
  find("toast").hidden = true;
  focusHome();
  if (action !== null) undo(action);
});
find("toast-close").addEventListener("click", () => {
  find("toast").hidden = true;
  focusHome();
});

/** Where the focus goes when what had it is gone. */
function focusHome() {
  const place = { list: currentRow()?.querySelector(".name"), suggestions: queueButton(queue.current) }[state.view];
  (place ?? find(`${state.view}-title`)).focus({ preventScroll: true });
}

// ------------------------------------------------------------------------------------------------------------------- sections

const HUES = new Set(["emerald", "amber", "red", "blue", "cyan", "orange", "purple", "yellow", "pink", "teal", "slate", "gray",
  "violet", "rose", "indigo", "lime", "fuchsia", "sky"]);
const dot = (color) => make("span", { class: `dot ${HUES.has(color) ? color : "gray"}`, "aria-hidden": "true" });
const layout = (store = state.store) => state.layouts.get(store);
const sectionNamed = (name, store = state.store) => layout(store)?.sections.find((section) => section.name === name);
const chip = (name, store) => make("span", { class: "chip" }, dot(sectionNamed(name, store)?.color ?? sectionNamed(name)?.color), make("bdi", {}, name));
const storeName = (id) => state.stores.find((store) => store.id === id)?.name ?? id;

async function layoutOf(store) {
  if (!state.layouts.has(store)) state.layouts.set(store, await api(`v1/stores/${encodeURIComponent(store)}`));
  return state.layouts.get(store);
}

async function loadStores() {
  const { stores } = await api("v1/stores");
  state.stores = stores;
  const ids = stores.map((store) => store.id);
  const wanted = [state.store, local.get("store"), state.me?.store, stores.find((store) => store.is_default)?.id, ids[0]];
  state.store = wanted.find((id) => ids.includes(id)) ?? null;
  if (state.store === null) throw new Problem("This server has no stores.");
  find("store").replaceChildren(...stores.map((store) => make("option", { value: store.id }, store.name)));
  find("store").value = state.store;
  const scope = find("taught-scope");
  const chosen = scope.value;
  scope.replaceChildren(make("option", { value: "" }, "All stores"), ...stores.map((store) => make("option", { value: store.id }, store.name)));
  scope.value = ids.includes(chosen) ? chosen : "";
  await layoutOf(state.store);
}

find("store").addEventListener("change", async () => {
  state.store = find("store").value;
  local.set("store", state.store);
  try {
    await layoutOf(state.store);
    sortList({ isFresh: true });
    if (state.view === "store") {
      if (location.hash !== "#store") location.hash = "#store";
      else await showStore();
    }
    renderQueue();
  } catch (problem) {
    failed(problem);
  }
});

// -------------------------------------------------------------------------------------------------------- why an item is there

const RULES = {
  keyword: {
    only: "it is the only keyword in the item", head: "it is the last product named before a comma, a parenthesis, or a word such as “with”",
    decisive: "it settles the section wherever it stands", flavor: "only ingredients or flavors are named, and it is the last of them",
    "after-head": "it comes after the main words, and nothing stronger comes before it",
    descriptor: "only descriptions are known, and they hint at a section", rotated: "the words name it when they are read in another order",
    typo: "it is meant, once a typo is corrected", substring: "it is the first keyword found in the item",
  },
  learned: {
    same: "the same item", plural: "the same item in singular or plural", quantity: "the same item in another quantity or package",
    rotation: "the same words in another order, with a comma", brand: "the same item with or without a brand",
    slip: "the same item, except for one letter", order: "the same words in another order", shelf: "taught for another store, on a shelf that this one has too",
  },
  llm: {
    model: "A language model chose it.", guess: "A language model guessed it.", new: "A language model proposed a section that the store does not have.",
  },
};
const WITNESSES = { keyword: "the keywords", regex: "a pattern", model: "the model", learned: "what was taught", llm: "a language model" };
const SIGNS = { "!": "decisive keyword", "~": "ingredient or flavor", "?": "description" };

function shelfLink(shelf) {
  return make("a", { href: `#store/${encodeURIComponent(shelf)}` }, shelf);
}

function parsedOpinion(text) {
  const parts = /^(\S+) ([\d.]+) \((.+)\)$/.exec(text ?? "");
  return parts && { strategy: parts[1], confidence: Number(parts[2]), section: parts[3] };
}

/** What speaks for and against an answer, in words: two lists of lists of nodes. */
function evidence(result) {
  const [pro, contra] = [[], []];
  const keyword = result.keyword ?? "";
  const quoted = (text) => ["“", make("bdi", { class: "key" }, text), "”"];
  const move = /^move (.+) -> (.+)$/.exec(result.rule ?? "");
  switch (result.strategy) {
    case "none":
      contra.push(["No keyword, pattern, or correction speaks for a section. It is in the section for everything else."]);
      break;
    case "keyword": {
      const word = keyword.replace(/^[!~?]/, "");
      const kind = SIGNS[keyword[0]] ?? "keyword";
      const shelf = result.shelf && !move ? [", on the shelf ", shelfLink(result.shelf)] : [];
      const because = move ? ["“", make("bdi", { class: "key" }, move[1]), "” moves it to the shelf ", shelfLink(move[2])] : [RULES.keyword[result.rule] ?? result.rule ?? ""];
      pro.push([`The ${kind} `, ...quoted(word), ...shelf, because[0] ? ": " : "", ...because, "."]);
      break;
    }
    case "regex":
      pro.push(["The pattern ", ...quoted(keyword), " matches."]);
      break;
    case "model": {
      const shelf = keyword.replace(/^like /, "");
      pro.push(["No keyword settles it. Its words are most like those on the shelf ", /^[a-z0-9-]+$/.test(shelf) ? shelfLink(shelf) : shelf, "."]);
      break;
    }
    case "learned":
      pro.push(["Taught: ", make("bdi", {}, keyword.replace(/(\d{4}-\d\d-\d\d)T[\d:.]+Z/g, "$1")),
        RULES.learned[result.rule] ? ` (${RULES.learned[result.rule]}).` : "."]);
      break;
    case "llm":
      pro.push([RULES.llm[result.rule] ?? "A language model chose it.", keyword ? " " : "", make("bdi", {}, keyword)]);
      break;
    default:
      pro.push([`${result.strategy}: `, make("bdi", {}, keyword), result.rule ? ` (${result.rule})` : "", "."]);
  }
  if (result.runner_up) {
    const parts = /^(.+) \((.+)\)$/.exec(result.runner_up);
    contra.push(parts ? ["The keyword ", ...quoted(parts[1].replace(/^[!~?]/, "")), " speaks for ", make("bdi", {}, parts[2]), "."] : ["Runner-up: ", make("bdi", {}, result.runner_up)]);
  }
  if (result.second_opinion) {
    const opinion = parsedOpinion(result.second_opinion);
    if (!opinion) contra.push(["Second opinion: ", make("bdi", {}, result.second_opinion)]);
    else {
      const who = WITNESSES[opinion.strategy] ?? opinion.strategy;
      const isSame = opinion.section === result.section;
      (isSame ? pro : contra).push([`Second opinion: ${who}${isSame ? " also" : ""} ${opinion.strategy === "keyword" ? "say" : "says"} `,
        make("bdi", {}, opinion.section), `, ${percent(opinion.confidence)} sure.`]);
    }
  }
  if (result.note && result.note !== keyword) pro.push([make("bdi", {}, result.note)]);
  return { pro, contra };
}

function certainty(result) {
  if (result.strategy === "none") return "undecided";
  return result.confidence < UNSURE ? "unsure" : "sure";
}
const UNSURE = 0.7;

function evidenceList(result) {
  const { pro, contra } = evidence(result);
  const list = make("dl", { class: "evidence" });
  const add = (name, lines, kind = null) => list.append(make("dt", { class: kind }, name), ...lines.map((line) => make("dd", {}, ...line)));
  if (pro.length) add("For", pro, "pro");
  add("Against", contra.length ? contra : [["Nothing."]], "contra");
  if (result.strategy !== "none") add("Sure", [[percent(result.confidence)]]);
  if (result.source) add("Where", [[make("code", {}, result.source)]]);
  return list;
}

/** The item's text with what the keyword matched marked; spans are UTF-8 offsets. */
function marked(result) {
  const span = /^(\d+)-(\d+)$/.exec(result.span ?? "");
  if (!span) return [result.item];
  const bytes = new TextEncoder().encode(result.item);
  const part = (from, to) => new TextDecoder().decode(bytes.subarray(from, to));
  return [part(0, +span[1]), make("mark", {}, part(+span[1], +span[2])), part(+span[2])];
}

// ------------------------------------------------------------------------------------------------------------------- the list

const LIMIT = 10000;
const CHUNK = 2000;
const SIZE = 250000; // characters: at most three bytes each, below the server's 1 MiB
const list = {
  results: new Map(), // item → result, of the store and the corrections as they are
  rows: new Map(), // key → li
  groups: new Map(), // section name → its element
  controller: null, isStale: false, current: null, flash: null, isUnsureOnly: false, hasFailed: false, said: "",
};

const items = () => find("items").value.split(/\r\n|\r|\n/).map((line) => line.trim()).filter(Boolean);

/** Parts of a list that one request can hold. */
function* parts(lines) {
  let [part, size] = [[], 0];
  for (const line of lines) {
    if (part.length === CHUNK || (part.length && size + line.length > SIZE)) {
      yield part;
      [part, size] = [[], 0];
    }
    part.push(line);
    size += line.length;
  }
  if (part.length) yield part;
}

let retry = 0;

/** Asks for the sections that are not known yet, or for all, and shows the list. */
async function sortList({ isFresh = false } = {}) {
  clearTimeout(retry);
  list.isStale ||= isFresh;
  list.controller?.abort();
  if (state.store === null || !layout()) return;
  const controller = new AbortController();
  list.controller = controller;
  const { store } = state;
  const all = items();
  const results = list.isStale ? new Map() : list.results;
  const unknown = [...new Set(all.slice(0, LIMIT))].filter((item) => !results.has(item));
  find("result").setAttribute("aria-busy", unknown.length > 0);
  try {
    let done = 0;
    for (const part of parts(unknown)) {
      if (unknown.length > CHUNK) find("summary").textContent = `Sorting ${number(done)} of ${plural(unknown.length, "item")}…`;
      done += part.length;
      const answer = await api("v1/categorize", { method: "POST", signal: controller.signal, body: { store, items: part, explain: true } });
      answer.results.forEach((result, place) => results.set(part[place], result));
    }
    list.results = results;
    list.isStale = false;
    list.hasFailed = false;
    if (results.size > 3 * LIMIT) { // what was typed on the way is forgotten
      const used = new Set(all);
      for (const item of results.keys()) if (!used.has(item)) results.delete(item);
    }
  } catch (problem) {
    if (problem.name === "AbortError") return;
    list.hasFailed = true;
    if (problem.isBusy) retry = setTimeout(sortList, Math.min(problem.retryAfter, 30) * 1000);
    failed(problem);
  }
  find("result").setAttribute("aria-busy", "false");
  renderList();
}

const NOT_SORTED = "Not sorted yet";

/** The list's items by section, in walking order; sections that the store lacks come before the fallback. */
function grouped() {
  const groups = new Map();
  const counts = new Map();
  for (const item of items().slice(0, LIMIT)) {
    const result = list.results.get(item) ?? null;
    if (!result && !list.hasFailed) continue; // the answer is on its way
    const count = (counts.get(item) ?? 0) + 1;
    counts.set(item, count);
    const name = result?.section ?? NOT_SORTED;
    if (!groups.has(name)) groups.set(name, { name, color: result?.color ?? "gray", entries: [] });
    groups.get(name).entries.push({ key: `${count}\n${item}`, item, result });
  }
  const { sections, fallback } = layout();
  const places = new Map(sections.map((section, place) => [section.name, place]));
  const last = places.get(fallback) ?? sections.length;
  const place = (name) => (name === NOT_SORTED ? -1 : places.get(name) ?? last - 0.5);
  return [...groups.values()].sort((a, b) => place(a.name) - place(b.name) || a.name.localeCompare(b.name));
}

function renderList() {
  if (!layout()) return;
  const focusedRow = document.activeElement?.closest?.("#sections li.item");
  const focusedPart = focusedRow && (document.activeElement.classList.contains("move") ? ".move" : ".name");
  const groups = grouped();
  const total = groups.reduce((sum, group) => sum + group.entries.length, 0);
  const used = new Set();
  const box = find("sections");
  let next = box.firstElementChild;
  for (const group of groups) {
    let element = list.groups.get(group.name);
    if (!element) {
      element = makeGroup(group.name);
      list.groups.set(group.name, element);
    }
    const mark = element.querySelector(".dot");
    if (mark.dataset.color !== group.color) {
      mark.replaceWith(dot(group.color));
      element.querySelector(".dot").dataset.color = group.color;
    }
    element.querySelector(".count").textContent = number(group.entries.length);
    if (element === next) next = next.nextElementSibling;
    else box.insertBefore(element, next);
    const rows = element.querySelector("ul");
    let nextRow = rows.firstElementChild;
    let unsure = 0;
    for (const entry of group.entries) {
      let row = list.rows.get(entry.key);
      if (!row) {
        row = makeRow(entry.key);
        list.rows.set(entry.key, row);
      }
      used.add(entry.key);
      updateRow(row, entry);
      if (row.dataset.certainty !== "sure") unsure += 1;
      if (row === nextRow) nextRow = nextRow.nextElementSibling;
      else rows.insertBefore(row, nextRow);
    }
    element.dataset.unsure = unsure;
  }
  for (const [key, row] of list.rows) {
    if (used.has(key)) continue;
    row.remove();
    list.rows.delete(key);
  }
  const names = new Set(groups.map((group) => group.name));
  for (const [name, element] of list.groups) {
    if (names.has(name)) continue;
    element.remove();
    list.groups.delete(name);
  }
  renderAround(groups, total);
  renderRail(groups);
  if (!currentRow()) setCurrent(box.querySelector("li.item"));
  if (focusedRow && document.activeElement !== focusedRow.querySelector(focusedPart)) {
    (focusedRow.isConnected ? focusedRow : currentRow())?.querySelector(focusedPart)?.focus({ preventScroll: true });
  }
  if (list.flash) {
    const row = [...list.rows.values()].find((each) => each.dataset.item === list.flash);
    list.flash = null;
    row?.classList.add("moved");
    row?.scrollIntoView({ block: "nearest" });
    setTimeout(() => row?.classList.remove("moved"), 1600);
  }
}

function renderAround(groups, total) {
  const isEmpty = items().length === 0;
  const over = items().length - LIMIT;
  const counts = { undecided: 0, unsure: 0 };
  for (const row of list.rows.values()) if (row.dataset.certainty in counts) counts[row.dataset.certainty] += 1;
  const doubtful = counts.undecided + counts.unsure;
  find("result-title").textContent = storeName(state.store);
  const words = total === 0 ? "" : [`${plural(total, "item")} in ${plural(groups.length, "section")}`,
    counts.undecided ? `${number(counts.undecided)} undecided` : "", counts.unsure ? `${number(counts.unsure)} unsure` : ""].filter(Boolean).join(", ");
  find("summary").textContent = over > 0 ? `${words}. The last ${plural(over, "line")} of more than ${number(LIMIT)} are left out.` : words;
  find("empty-list").hidden = !isEmpty;
  find("list-actions").hidden = isEmpty;
  find("list-hint").hidden = isEmpty;
  find("clear").hidden = find("items").value === "";
  const filter = find("show-unsure");
  filter.hidden = doubtful === 0;
  filter.textContent = `Doubtful ${number(doubtful)}`;
  if (doubtful === 0) list.isUnsureOnly = false;
  filter.setAttribute("aria-pressed", list.isUnsureOnly);
  find("sections").classList.toggle("unsure-only", list.isUnsureOnly);
  if (words !== list.said) sayList(words);
}
const sayList = debounced(1200, (words) => {
  if (list.said === words || state.view !== "list") return;
  list.said = words;
  if (words) say(words);
});

function makeGroup(name) {
  const id = `section-${makeGroup.count += 1}`;
  return make("section", { class: "group", "aria-labelledby": id, "data-drop": name === NOT_SORTED ? null : name },
    make("h3", { id, tabindex: "-1" }, dot("gray"), make("bdi", {}, name), " ", make("span", { class: "count" })), make("ul", { role: "list" }));
}
makeGroup.count = 0;

function makeRow(key) {
  const row = make("li", { class: "item", "data-key": key });
  row.append(make("div", { class: "line" }, make("button", { type: "button", class: "name", tabindex: "-1", "aria-expanded": "false" }),
    make("button", { type: "button", class: "move", tabindex: "-1" }, "Move")));
  return row;
}

const SHOWN = ["section", "color", "confidence", "strategy", "shelf", "keyword", "span", "rule", "source", "runner_up", "second_opinion", "note"];
const isSame = (one, other) => one === other || (one && other && SHOWN.every((name) => one[name] === other[name]));

const MARKS = { undecided: "undecided", unsure: "unsure", taught: "taught" };

function updateRow(row, { item, result }) {
  if (row.dataset.item === item && isSame(row.shown, result)) return;
  const isOpen = row.querySelector(".why") !== null;
  row.shown = result;
  row.dataset.item = item;
  row.dataset.certainty = result ? certainty(result) : "sure";
  const name = row.querySelector(".name");
  const kind = result ? (MARKS[row.dataset.certainty] ?? (result.strategy === "learned" ? "taught" : null)) : null;
  name.replaceChildren(make("bdi", { class: "text" }, item), kind ? make("span", { class: `tag ${kind}` }, kind) : "");
  row.querySelector(".move").setAttribute("aria-label", `Move ${clip(item)} to another section`);
  if (isOpen) openWhy(row);
}

function openWhy(row) {
  const result = row.shown;
  if (!result) return;
  row.querySelector(".why")?.remove();
  const id = openWhy.count += 1;
  const why = make("div", { class: "why", id: `why-${id}` }, evidenceList(result));
  row.append(why);
  const name = row.querySelector(".name");
  name.setAttribute("aria-expanded", "true");
  name.setAttribute("aria-controls", why.id);
  row.querySelector(".text").replaceChildren(...marked(result));
}
openWhy.count = 0;

function closeWhy(row) {
  row.querySelector(".why")?.remove();
  const name = row.querySelector(".name");
  name.setAttribute("aria-expanded", "false");
  name.removeAttribute("aria-controls");
  row.querySelector(".text").textContent = row.dataset.item;
}

const currentRow = () => (list.current?.isConnected ? list.current : null);

/** One item takes part in the Tab order; the arrows go to the others. */
function setCurrent(row) {
  if (list.current === row) return;
  for (const button of list.current?.querySelectorAll(".line button") ?? []) button.tabIndex = -1;
  list.current = row;
  for (const button of row?.querySelectorAll(".line button") ?? []) button.tabIndex = 0;
}

function step(distance) {
  const rows = [...document.querySelectorAll("#sections li.item")].filter((row) => !list.isUnsureOnly || row.dataset.certainty !== "sure");
  const place = rows.indexOf(currentRow());
  const isInside = find("sections").contains(document.activeElement);
  const row = rows[Math.max(0, Math.min(rows.length - 1, isInside ? place + distance : Math.max(place, 0)))];
  if (!row) return;
  setCurrent(row);
  row.querySelector(".name").focus();
}

find("sections").addEventListener("click", (event) => {
  const row = event.target.closest("li.item");
  if (!row || drag.isOver) return;
  setCurrent(row);
  if (event.target.closest(".move")) chooseFor(row);
  else if (event.target.closest(".line")) (row.querySelector(".why") ? closeWhy : openWhy)(row);
});
find("sections").addEventListener("focusin", (event) => {
  const row = event.target.closest("li.item");
  if (row) setCurrent(row);
});

function renderRail(groups) {
  const counts = new Map(groups.map((group) => [group.name, group]));
  const names = [...layout().sections.map((section) => section.name)];
  for (const group of groups) {
    if (!names.includes(group.name) && group.name !== NOT_SORTED) names.splice(Math.max(0, names.indexOf(layout().fallback)), 0, group.name);
  }
  const box = find("rail-list");
  const signature = names.join("\n");
  if (box.dataset.of !== signature) {
    box.dataset.of = signature;
    box.replaceChildren(...names.map((name) => make("li", {},
      make("button", { type: "button", "data-drop": name }, dot(sectionNamed(name)?.color ?? counts.get(name)?.color), make("bdi", {}, name),
        make("span", { class: "count" })))));
  }
  names.forEach((name, place) => {
    const count = counts.get(name)?.entries.length ?? 0;
    const button = box.children[place].firstElementChild;
    button.querySelector(".count").textContent = count ? number(count) : "";
    button.disabled = count === 0;
  });
  find("rail").hidden = false;
}

find("rail-list").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  const group = button && list.groups.get(button.dataset.drop);
  if (!group || drag.isOver) return;
  group.scrollIntoView();
  group.querySelector("h3").focus({ preventScroll: true });
});

const keepItems = debounced(300, () => local.set("items", find("items").value));
const sortSoon = debounced(150, () => sortList());
find("items").addEventListener("input", () => {
  keepItems();
  sortSoon();
});
window.addEventListener("pagehide", () => local.set("items", find("items").value));
window.addEventListener("storage", (event) => { // the same page in another tab
  if (event.key !== "aisle.items" || document.activeElement === find("items")) return;
  find("items").value = event.newValue ?? "";
  sortList();
});
find("list-form").addEventListener("submit", (event) => {
  event.preventDefault();
  sortList();
});

function replaceItems(text) {
  const box = find("items");
  box.focus();
  box.select();
  // As if typed, so that the browser's own undo brings the old text back.
  if (!document.execCommand("insertText", false, text) && box.value !== text) box.value = text;
  local.set("items", box.value);
  sortList();
}
find("clear").addEventListener("click", () => {
  replaceItems("");
  say("The list is empty. Ctrl+Z in the text brings it back.");
});
find("example").addEventListener("click", () => replaceItems(["bananas", "baby spinach", "sourdough loaf", "2 lbs chicken thighs", "oat milk", "greek yogurt",
  "frozen peas", "diced tomatoes, 28 oz can", "soy sauce", "peanut butter", "tortilla chips", "sparkling water", "paper towels", "the usual"].join("\n")));
find("show-unsure").addEventListener("click", () => {
  list.isUnsureOnly = !list.isUnsureOnly;
  renderList();
  say(list.isUnsureOnly ? "Only doubtful items are shown." : "All items are shown.");
});

function listAsText() {
  return grouped().map((group) => `${group.name}\n${group.entries.map((entry) => `- ${entry.item}`).join("\n")}\n`).join("\n");
}

find("copy").addEventListener("click", async () => {
  const text = listAsText();
  let isCopied = false;
  try {
    await navigator.clipboard.writeText(text);
    isCopied = true;
  } catch { // no permission, or not a secure context: the old way
    const box = make("textarea", { class: "vh", "aria-hidden": "true" });
    box.value = text;
    document.body.append(box);
    box.select();
    isCopied = document.execCommand("copy");
    box.remove();
    find("copy").focus();
  }
  tell(isCopied ? `Copied ${plural(list.rows.size, "item")} as text.` : "The browser does not let this page copy.", { isProblem: !isCopied });
});
find("print").addEventListener("click", () => window.print());

const mayCheck = () => state.me?.can === "check" && state.me.model !== null;
const CHECK_LIMIT = 1000;

/** Has a language model look for items in the wrong section. What it suggests waits under Suggestions. */
async function check() {
  const { store } = state;
  const listed = grouped().flatMap((group) => group.entries).filter((entry) => entry.result);
  if (!listed.length) return;
  if (listed.length > CHECK_LIMIT) {
    tell(`A check takes ${number(CHECK_LIMIT)} items at most; this list has ${number(listed.length)}.`, { isProblem: true });
    return;
  }
  const button = find("check");
  button.setAttribute("aria-disabled", "true");
  button.textContent = "Checking…";
  say(`${state.me.model} is looking at ${plural(listed.length, "item")}.`);
  try {
    // Where an item is undecided, there is no section to compare with.
    const sent = listed.map(({ item, result }) => ({ name: item, ...(result.confidence > 0 ? { category: result.section } : {}) }));
    const { suggestions, undecided } = await change("v1/check", { method: "POST", body: { store, items: sent } });
    const count = new Set(suggestions.map((suggestion) => suggestion.id)).size;
    const rest = undecided ? ` ${plural(undecided, "item")} got no answer; check again to ask about them.` : "";
    if (count) {
      window.location.hash = "suggestions";
      tell(`${plural(count, "suggestion")} from ${state.me.model}. Accept or dismiss each.${rest}`);
    } else {
      tell(undecided ? rest.trim() : `${state.me.model} would move nothing.`, { isProblem: undecided > 0 });
    }
    refresh({ suggestions: true });
  } catch (problem) {
    failed(problem);
  } finally {
    button.removeAttribute("aria-disabled");
    button.textContent = "Check";
  }
}
find("check").addEventListener("click", () => {
  if (find("check").getAttribute("aria-disabled") !== "true") check();
});

/** Teaches that an item belongs to a section: shown at once, taken back if the server refuses. */
async function correct(item, target, { name = target, color = null } = {}) {
  if (!mayTeach()) {
    tell("You may look, but not teach, with this token.", { isProblem: true });
    return;
  }
  const before = list.results.get(item);
  if (before) {
    list.results.set(item, { item, section: name, color: color ?? sectionNamed(name)?.color ?? "gray", confidence: 0.99, strategy: "learned", keyword: item, rule: "same" });
    list.flash = item;
    renderList();
  }
  try {
    const answer = await change("v1/corrections", { method: "POST", body: { store: state.store, item, section: target } });
    tell(`Moved ${clip(item, 60)} to ${answer.section ?? name}.`, { action: remember(answer.action) });
    refresh({ list: true, suggestions: true, taught: true });
  } catch (problem) {
    if (before) list.results.set(item, before);
    renderList();
    if (problem.status === 0 && state.isOffline) tell(`${clip(item, 60)} was not corrected: the server does not answer.`, { isProblem: true });
    else failed(problem);
  }
}

async function chooseFor(row) {
  const { item } = row.dataset;
  if (!mayTeach()) {
    tell("You may look, but not teach, with this token.", { isProblem: true });
    return;
  }
  const choice = await choose(`Move ${clip(item, 60)} to`, { here: row.shown?.section });
  row = [...list.rows.values()].find((each) => each.dataset.item === item) ?? row;
  row.querySelector(".name")?.focus({ preventScroll: true });
  if (choice) correct(item, choice.target, choice);
}

// ---------------------------------------------------------------------------------------------------------------------- dragging

const drag = { row: null, x: 0, y: 0, isOn: false, isOver: false, target: null, frame: 0 };

find("sections").addEventListener("pointerdown", (event) => {
  const line = event.target.closest(".line");
  if (!line || event.button !== 0 || event.pointerType === "touch" || event.target.closest(".move") || !mayTeach()) return;
  Object.assign(drag, { row: line.closest("li.item"), x: event.clientX, y: event.clientY, isOn: false });
});
document.addEventListener("pointermove", (event) => {
  if (!drag.row) return;
  if (!drag.isOn) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 6) return;
    drag.isOn = true;
    document.documentElement.classList.add("dragging");
    drag.row.classList.add("dragged");
    find("ghost").textContent = clip(drag.row.dataset.item, 60);
    find("ghost").hidden = false;
    getSelection()?.removeAllRanges();
    drag.frame = requestAnimationFrame(scrollAtEdge);
  }
  event.preventDefault();
  drag.x = event.clientX;
  drag.y = event.clientY;
  find("ghost").style.transform = `translate(${drag.x + 12}px, ${drag.y + 8}px)`;
  aim();
});
document.addEventListener("pointerup", () => {
  if (!drag.row) return;
  const { row, target, isOn } = drag;
  endDrag();
  if (!isOn) return;
  drag.isOver = true; // the click that follows is no click
  setTimeout(() => { drag.isOver = false; }, 0);
  const name = target?.dataset.drop;
  if (name && name !== row.shown?.section) correct(row.dataset.item, name);
});
document.addEventListener("pointercancel", endDrag);
window.addEventListener("blur", endDrag);

function aim() {
  const target = document.elementFromPoint(drag.x, drag.y)?.closest("[data-drop]") ?? null;
  if (target === drag.target) return;
  drag.target?.classList.remove("target");
  drag.target = target;
  if (target && target.dataset.drop !== drag.row.shown?.section) target.classList.add("target");
}

function scrollAtEdge() {
  if (!drag.isOn) return;
  const edge = 70;
  const speed = drag.y < edge ? drag.y - edge : Math.max(0, drag.y - (innerHeight - edge));
  if (speed) {
    window.scrollBy({ top: speed / 4, behavior: "instant" });
    aim();
  }
  drag.frame = requestAnimationFrame(scrollAtEdge);
}

function endDrag() {
  cancelAnimationFrame(drag.frame);
  drag.target?.classList.remove("target");
  drag.row?.classList.remove("dragged");
  document.documentElement.classList.remove("dragging");
  find("ghost").hidden = true;
  Object.assign(drag, { row: null, target: null, isOn: false });
}

// ------------------------------------------------------------------------------------------------------------- choosing a section

const chooser = { resolve: null, options: [], place: 0, store: null, here: null };

/** Asks for a section, or a shelf, with a few letters. `null` if nothing was chosen. */
async function choose(title, { store = state.store, here = null } = {}) {
  try {
    await layoutOf(store);
  } catch (problem) {
    failed(problem);
    return null;
  }
  find("chooser-title").textContent = title;
  find("chooser-query").value = "";
  Object.assign(chooser, { store, here });
  showChoices();
  find("chooser-query").autofocus = !matchMedia("(pointer: coarse)").matches; // no keyboard is to cover half a phone
  find("chooser-title").autofocus = !find("chooser-query").autofocus;
  find("chooser").showModal();
  return new Promise((resolve) => { chooser.resolve = resolve; });
}

function showChoices() {
  const words = fold(find("chooser-query").value).split(/\s+/).filter(Boolean);
  const { sections } = layout(chooser.store);
  const rank = (name) => { // 0: begins with it, 1: a word begins with it, 2: has it
    const text = fold(name);
    if (!words.every((word) => text.includes(word))) return null;
    if (text.startsWith(words[0] ?? "")) return 0;
    return text.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(words[0])) ? 1 : 2;
  };
  const ranked = (options) => options.map((option) => [rank(option.text), option]).filter(([value]) => value !== null)
    .sort((a, b) => a[0] - b[0]).map(([, option]) => option);
  const found = ranked(sections.map((section) => ({ text: section.name, target: section.name, name: section.name, color: section.color })));
  const shelves = words.length
    ? ranked(sections.flatMap((section) => section.shelves.map((shelf) => ({ text: shelf, target: shelf, name: section.name, color: section.color, shelf })))).slice(0, 8)
    : [];
  chooser.options = [...found, ...shelves];
  chooser.place = 0;
  find("chooser-list").replaceChildren(...chooser.options.map((option, place) => make("li", { role: "option", id: `choice-${place}`, "data-place": place },
    dot(option.color), make("bdi", {}, option.text),
    option.shelf ? make("span", { class: "quiet" }, `shelf in ${option.name}`) : option.name === chooser.here ? make("span", { class: "quiet" }, "is here now") : "")));
  find("chooser-none").textContent = chooser.options.length ? "" : `No section or shelf has “${find("chooser-query").value}”.`;
  pointAt(words.length || chooser.options[0]?.name !== chooser.here ? 0 : 1); // Enter alone changes something
}

function pointAt(place) {
  const options = [...find("chooser-list").children];
  if (!options.length) {
    find("chooser-query").removeAttribute("aria-activedescendant");
    return;
  }
  chooser.place = (place + options.length) % options.length;
  options.forEach((option, each) => option.setAttribute("aria-selected", each === chooser.place));
  find("chooser-query").setAttribute("aria-activedescendant", `choice-${chooser.place}`);
  options[chooser.place].scrollIntoView({ block: "nearest" });
}

function closeChooser(choice) {
  const { resolve } = chooser;
  chooser.resolve = null;
  if (find("chooser").open) find("chooser").close();
  resolve?.(choice);
}

find("chooser-query").addEventListener("input", showChoices);
find("chooser-query").addEventListener("keydown", (event) => {
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (event.key in steps) pointAt(chooser.place + steps[event.key]);
  else if (event.key === "Enter") closeChooser(chooser.options[chooser.place] ?? null);
  else return;
  event.preventDefault();
});
find("chooser-list").addEventListener("click", (event) => {
  const option = event.target.closest("[role=option]");
  if (option) closeChooser(chooser.options[Number(option.dataset.place)]);
});
find("chooser-form").addEventListener("submit", (event) => event.preventDefault());
find("chooser-cancel").addEventListener("click", () => closeChooser(null));
find("chooser").addEventListener("close", () => closeChooser(null));
find("chooser").addEventListener("click", (event) => { if (event.target === find("chooser")) closeChooser(null); });

// ----------------------------------------------------------------------------------------------------------------- suggestions

const queue = { all: [], current: null, isLoaded: false };
const QUEUE_LIMIT = 200;
const kind = (suggestion) => `${suggestion.store}\n${suggestion.from}\n${suggestion.to}`;
const sameKind = (suggestion) => queue.all.filter((each) => kind(each) === kind(suggestion));
const queueButton = (id) => (id === null ? null : document.querySelector(`#queue li[data-id="${id}"] .pick`));
const suggestionOf = (id) => queue.all.find((each) => each.id === id) ?? null;

async function loadSuggestions() {
  const { suggestions } = await api("v1/suggestions");
  const before = queue.all.length;
  queue.all = suggestions.filter((suggestion) => !queue.isLoaded || !deciding.has(suggestion.id));
  if (queue.isLoaded && suggestions.length > before && state.view !== "suggestions") say(`${plural(suggestions.length, "suggestion")} waiting.`);
  queue.isLoaded = true;
  if (!suggestionOf(queue.current)) queue.current = queue.all[0]?.id ?? null;
  if (state.view === "suggestions") await Promise.all([...new Set(queue.all.map((each) => each.store))].map(layoutOf));
  renderQueue();
}
const deciding = new Set(); // ids on their way to the server

function renderQueue() {
  const { all } = queue;
  find("waiting").hidden = all.length === 0;
  find("waiting").replaceChildren(number(all.length), make("span", { class: "vh" }, " waiting"));
  if (state.view === "suggestions") setTitle();
  if (state.view !== "suggestions") return;
  const hadFocus = find("queue").contains(document.activeElement);
  const focusedVerb = document.activeElement?.dataset?.verb;
  find("suggestions-summary").textContent = all.length ? `${number(all.length)} waiting, oldest first` : "";
  find("queue-empty").hidden = all.length > 0 || !queue.isLoaded;
  find("queue-keys").hidden = all.length === 0;
  find("queue-more").hidden = all.length <= QUEUE_LIMIT;
  find("queue-more").textContent = `${plural(all.length - QUEUE_LIMIT, "more suggestion")} after these.`;
  const shown = all.slice(0, QUEUE_LIMIT);
  find("queue").replaceChildren(...shown.map(suggestionRow));
  if (hadFocus) (document.querySelector(`#queue .acts button[data-verb="${focusedVerb}"]`) ?? queueButton(queue.current) ?? find("suggestions-title")).focus({ preventScroll: true });
}

function suggestionRow(suggestion) {
  const isCurrent = suggestion.id === queue.current;
  const facts = [suggestion.confidence === undefined || suggestion.confidence === null ? null : `${percent(suggestion.confidence)} sure`,
    suggestion.by ? `by ${suggestion.by}${suggestion.model && suggestion.model !== suggestion.by ? ` with ${suggestion.model}` : ""}` : null,
    suggestion.store === state.store ? null : storeName(suggestion.store), suggestion.shelf ? `shelf ${suggestion.shelf}` : null].filter(Boolean);
  const meta = make("span", { class: "quiet meta" });
  facts.forEach((fact) => meta.append(make("bdi", {}, fact), " · "));
  meta.append(moment(suggestion.time));
  return make("li", { "data-id": suggestion.id, class: isCurrent ? "current" : null },
    make("button", { type: "button", class: "pick", "aria-current": isCurrent ? "true" : null, tabindex: isCurrent ? "0" : "-1" },
      make("bdi", { class: "text" }, suggestion.item),
      make("span", { class: "change" }, chip(suggestion.from, suggestion.store), make("span", { class: "arrow", "aria-hidden": "true" }, "→"), make("span", { class: "vh" }, " to "), chip(suggestion.to, suggestion.store)),
      meta),
    isCurrent && mayTeach() ? suggestionActions(suggestion) : "");
}

function suggestionActions(suggestion) {
  const same = sameKind(suggestion).length;
  const act = (verb, words, key, isMain = false) => make("button", { type: "button", "data-verb": verb, class: isMain ? "main-button" : null, "aria-keyshortcuts": key },
    words, " ", make("kbd", { "aria-hidden": "true" }, key));
  return make("div", { class: "acts", role: "group", "aria-label": `Decide ${clip(suggestion.item)}` },
    act("accept", "Accept", "a", true), act("dismiss", "Dismiss", "d"), act("edit", "Other section…", "e"),
    same > 1 ? make("span", { class: "same" }, make("span", { class: "quiet" }, `${number(same)} of this kind:`),
      act("accept-all", "Accept all", "A"), act("dismiss-all", "Dismiss all", "D")) : "");
}

function selectSuggestion(id, { isFocused = true } = {}) {
  if (id === null) return;
  queue.current = id;
  renderQueue();
  const button = queueButton(id);
  if (isFocused) button?.focus({ preventScroll: true });
  button?.closest("li").scrollIntoView({ block: "nearest" });
}

function stepQueue(distance) {
  const shown = queue.all.slice(0, QUEUE_LIMIT);
  const place = shown.findIndex((each) => each.id === queue.current);
  const isInside = find("queue").contains(document.activeElement);
  const next = shown[Math.max(0, Math.min(shown.length - 1, isInside ? place + distance : Math.max(place, 0)))];
  if (next) selectSuggestion(next.id);
}

async function decideSuggestion(verb) {
  const suggestion = suggestionOf(queue.current);
  if (!suggestion) return;
  if (!mayTeach()) {
    tell("You may look, but not decide, with this token.", { isProblem: true });
    return;
  }
  const body = { ids: [suggestion.id], verdict: verb.startsWith("dismiss") ? "dismiss" : "accept" };
  let target = suggestion.to;
  if (verb.endsWith("-all")) body.ids = sameKind(suggestion).map((each) => each.id);
  if (verb === "edit") {
    const choice = await choose(`${clip(suggestion.item, 60)} belongs to`, { store: suggestion.store, here: suggestion.from });
    queueButton(suggestion.id)?.focus({ preventScroll: true });
    if (!choice || !suggestionOf(suggestion.id)) return;
    body.section = choice.target;
    target = choice.name;
  }
  const ids = new Set(body.ids);
  const place = queue.all.findIndex((each) => each.id === suggestion.id);
  const next = queue.all.slice(place).find((each) => !ids.has(each.id)) ?? queue.all.slice(0, place).findLast((each) => !ids.has(each.id));
  const before = queue.all;
  for (const id of ids) deciding.add(id);
  queue.all = queue.all.filter((each) => !ids.has(each.id));
  queue.current = next?.id ?? null;
  renderQueue();
  (queueButton(queue.current) ?? find("suggestions-title")).focus({ preventScroll: true });
  queueButton(queue.current)?.closest("li").scrollIntoView({ block: "nearest" });
  try {
    const answer = await change("v1/suggestions/decide", { method: "POST", body });
    const what = ids.size > 1 ? plural(ids.size, "suggestion") : clip(suggestion.item, 60);
    tell(body.verdict === "dismiss" ? `Dismissed ${what}.` : `Accepted ${what}: ${target}.`, { action: remember(answer.action) });
  } catch (problem) {
    queue.all = before;
    queue.current = suggestion.id;
    failed(problem);
  }
  for (const id of ids) deciding.delete(id);
  refresh({ suggestions: true, list: true });
  renderQueue();
}

find("queue").addEventListener("click", (event) => {
  const verb = event.target.closest("[data-verb]")?.dataset.verb;
  const row = event.target.closest("li");
  if (verb) decideSuggestion(verb);
  else if (row) selectSuggestion(Number(row.dataset.id));
});

// ----------------------------------------------------------------------------------------------------------------------- taught

const taught = { all: [], next: null, controller: null };

async function loadTaught({ isMore = false } = {}) {
  taught.controller?.abort();
  taught.controller = new AbortController();
  const [q, store] = [find("taught-query").value.trim(), find("taught-scope").value];
  const answer = await api(`v1/corrections${query({ q, store, limit: isMore ? 100 : Math.min(1000, Math.max(100, taught.all.length)), after: isMore ? taught.next : null })}`, { signal: taught.controller.signal });
  taught.all = isMore ? [...taught.all, ...answer.corrections] : answer.corrections;
  taught.next = answer.next;
  await Promise.all([...new Set(taught.all.map((each) => each.store))].filter((id) => state.stores.some((each) => each.id === id)).map(layoutOf));
  const isSearch = q !== "" || store !== "";
  find("taught-summary").textContent = taught.all.length
    ? `${taught.next ? "The newest " : ""}${plural(taught.all.length, "correction")}${q ? ` with “${q}”` : ""}`
    : isSearch ? `No correction${q ? ` with “${q}”` : ""}${store ? ` for ${storeName(store)}` : ""}.` : "Nothing was taught yet. Move an item of a list to another section, or accept a suggestion.";
  find("taught-more").hidden = taught.next === null || taught.next === undefined;
  const focused = document.activeElement?.closest?.("#taught li")?.dataset.key;
  find("taught").replaceChildren(...taught.all.map(taughtRow));
  if (focused) ([...find("taught").children].find((row) => row.dataset.key === focused)?.querySelector("button") ?? find("taught-title")).focus({ preventScroll: true });
}

function taughtRow(correction) {
  const who = [correction.by ? `by ${correction.by}` : null, correction.model && correction.model !== correction.by ? `with ${correction.model}` : null,
    correction.accepted_by ? `accepted by ${correction.accepted_by}` : null,
    correction.shelf ? `shelf ${correction.shelf}` : null, storeName(correction.store)].filter(Boolean);
  const meta = make("span", { class: "quiet meta" });
  who.forEach((fact) => meta.append(make("bdi", {}, fact), " · "));
  meta.append(moment(correction.time));
  return make("li", { "data-key": `${correction.store}\n${correction.item}` },
    make("div", { class: "what" }, make("bdi", { class: "text" }, correction.item), chip(correction.section, correction.store), meta),
    mayTeach() ? make("button", { type: "button", "aria-label": `Take back ${clip(correction.item)}`, click: () => takeBack(correction) }, "Take back") : "");
}

async function takeBack(correction) {
  const rows = [...find("taught").children];
  const row = rows.find((each) => each.dataset.key === `${correction.store}\n${correction.item}`);
  const place = rows.indexOf(row);
  try {
    const before = (await api("v1/history?limit=1")).actions[0]?.action;
    const answer = await change(`v1/corrections${query({ store: correction.store, item: correction.item })}`, { method: "DELETE" });
    let action = answer.action ?? null;
    if (action === null) { // it is the newest action, unless somebody else did something at the same time
      const [newest, other] = (await api("v1/history?limit=2")).actions;
      if (newest?.can_undo && newest.action !== before && other?.action === before) ({ action } = newest);
    }
    row?.remove();
    (find("taught").children[place] ?? find("taught").lastElementChild)?.querySelector("button")?.focus({ preventScroll: true });
    if (!find("taught").children.length) find("taught-title").focus();
    tell(`Took back ${clip(correction.item, 60)}.`, { action: remember(action) });
  } catch (problem) {
    failed(problem);
  }
  refresh({ list: true, taught: true });
}

const history = { all: [], next: null };

async function loadHistory({ isMore = false } = {}) {
  const answer = await api(`v1/history${query({ limit: isMore ? 100 : Math.min(1000, Math.max(20, history.all.length)), before: isMore ? history.next : null })}`);
  history.all = isMore ? [...history.all, ...answer.actions] : answer.actions;
  history.next = answer.next;
  find("history-summary").textContent = history.all.length ? "" : "None yet.";
  find("history-more").hidden = history.next === null || history.next === undefined;
  const focused = document.activeElement?.closest?.("#history li")?.dataset.action;
  find("history").replaceChildren(...history.all.map((action) => make("li", { "data-action": action.action },
    make("div", { class: "what" }, make("bdi", { class: "text" }, sentence(action.what).replace(/\.$/, "")), make("span", { class: "quiet meta" }, moment(action.time))),
    action.can_undo && mayTeach() ? make("button", { type: "button", "aria-label": `Undo ${clip(action.what)}`, click: () => undo(action.action) }, "Undo") : "")));
  if (focused) (find("history").querySelector(`[data-action="${focused}"] button`) ?? find("history-title")).focus?.({ preventScroll: true });
}

find("taught-query").addEventListener("input", debounced(150, () => loadTaught().catch(failed)));
find("taught-scope").addEventListener("change", () => loadTaught().catch(failed));
find("taught-search").addEventListener("submit", (event) => event.preventDefault());
find("taught-more").addEventListener("click", () => loadTaught({ isMore: true }).catch(failed));
find("history-more").addEventListener("click", () => loadHistory({ isMore: true }).catch(failed));

// ------------------------------------------------------------------------------------------------------------------- the store

const storeView = { controller: null };

function shelfInAddress() {
  try {
    return decodeURIComponent(location.hash.split("/")[1] ?? "");
  } catch {
    return ""; // not one of this page's addresses
  }
}

async function showStore() {
  const shelf = shelfInAddress();
  const store = await layoutOf(state.store);
  const shelves = store.sections.reduce((sum, section) => sum + section.shelves.length, 0);
  find("store-title").textContent = store.name;
  find("store-summary").textContent = `${plural(store.sections.length, "section")}, ${plural(shelves, "shelf", "shelves")}. What nothing speaks for goes to ${store.fallback}.`;
  find("store-shelf").hidden = !shelf;
  if (shelf) await showShelf(shelf);
  else await searchStore();
  if (find("try").value.trim()) await tryItem();
}

async function searchStore() {
  storeView.controller?.abort();
  const q = find("store-query").value.trim();
  const isSearch = q !== "";
  const box = find("store-found");
  if (!isSearch) {
    box.hidden = true;
    find("store-sections").hidden = location.hash.includes("/");
    renderSections();
    return;
  }
  storeView.controller = new AbortController();
  const answer = await api(`v1/stores/${encodeURIComponent(state.store)}/search${query({ q, limit: 100 })}`, { signal: storeView.controller.signal });
  const count = answer.results.length;
  box.replaceChildren(make("p", { class: "quiet", role: "status" }, count ? `${count === 100 ? "The first " : ""}${plural(count, "keyword")} with “${q}”` : `No shelf or keyword has “${q}”.`),
    make("ul", { class: "rows" }, ...answer.results.map((found) => make("li", {}, make("div", { class: "what" },
      make("bdi", { class: "text" }, (found.keyword ?? found.shelf ?? "").replace(/^[!~?]/, "")), found.section ? chip(found.section) : "",
      make("span", { class: "quiet meta" }, found.shelf ? shelfLink(found.shelf) : "", found.source ? make("code", {}, found.source) : ""))))));
  box.hidden = false;
  find("store-shelf").hidden = true;
  find("store-sections").hidden = true;
}

function renderSections() {
  find("store-sections").replaceChildren(...layout().sections.map((section) => make("section", { class: "group" },
    make("h2", {}, dot(section.color), make("bdi", {}, section.name), " ", make("span", { class: "count" }, section.shelves.length ? plural(section.shelves.length, "shelf", "shelves") : "")),
    make("ul", { class: "shelves" }, ...section.shelves.map((shelf) => make("li", {}, shelfLink(shelf)))))));
}

const SHELF_LIMIT = 500;
async function showShelf(shelf) {
  find("store-sections").hidden = true;
  find("store-found").hidden = true;
  const box = find("store-shelf");
  const answer = await api(`v1/stores/${encodeURIComponent(state.store)}/shelves/${encodeURIComponent(shelf)}`);
  const { keywords } = answer;
  const rows = make("ul", { class: "keywords", id: "keywords" });
  const status = make("p", { class: "quiet", role: "status" });
  const filter = make("input", { type: "search", placeholder: "Filter", "aria-label": `Filter the keywords of ${shelf}`, autocomplete: "off", spellcheck: "false" });
  let limit = SHELF_LIMIT;
  const more = make("button", { type: "button", click: () => { limit = Infinity; show(); } });
  const show = () => {
    const words = fold(filter.value.trim());
    const found = keywords.filter((keyword) => fold(keyword).includes(words));
    rows.replaceChildren(...found.slice(0, limit).map((keyword) => {
      const sign = SIGNS[keyword[0]];
      return make("li", {}, make("bdi", {}, sign ? keyword.slice(1) : keyword), sign ? make("span", { class: "tag" }, sign.replace(" keyword", "")) : "");
    }));
    status.textContent = words ? `${number(found.length)} of ${plural(keywords.length, "keyword")}` : plural(keywords.length, "keyword");
    more.hidden = found.length <= limit;
    more.textContent = `Show all ${number(found.length)}`;
  };
  filter.addEventListener("input", show);
  show();
  box.replaceChildren(make("p", {}, make("a", { href: "#store" }, "All shelves")), make("h2", { tabindex: "-1", id: "shelf-title" }, make("bdi", {}, shelf)),
    make("p", {}, chip(answer.section)), keywords.length > 20 ? filter : "", status, rows, make("p", {}, more));
  box.hidden = false;
}

find("store-query").addEventListener("input", debounced(150, () => {
  if (location.hash.includes("/") && find("store-query").value.trim()) {
    window.history.replaceState(null, "", "#store");
  }
  searchStore().catch(failed);
}));
find("store-search").addEventListener("submit", (event) => event.preventDefault());

let tryController = null;
async function tryItem() {
  tryController?.abort();
  const item = find("try").value.trim();
  const box = find("tried");
  if (!item) {
    box.replaceChildren(make("p", { class: "quiet" }, "See where it goes, and what speaks for and against it."));
    return;
  }
  tryController = new AbortController();
  const { results: [result] } = await api("v1/categorize", { method: "POST", signal: tryController.signal, body: { store: state.store, items: [item], explain: true } });
  const doubt = certainty(result);
  box.replaceChildren(make("p", { class: "item-text" }, ...marked(result)),
    make("p", { class: "answer" }, make("span", { class: "chip" }, dot(result.color), make("bdi", {}, result.section)), doubt === "sure" ? "" : make("span", { class: `tag ${doubt}` }, doubt)),
    evidenceList(result),
    mayTeach() ? make("p", {}, make("button", { type: "button", id: "try-correct", click: async () => {
      const choice = await choose(`Move ${clip(item, 60)} to`, { here: result.section });
      if (choice) await correct(item, choice.target, choice);
      await tryItem().catch(failed);
      find("try-correct")?.focus();
    } }, "Correct it…")) : "");
}
find("try").addEventListener("input", debounced(200, () => tryItem().catch(failed)));
find("try-form").addEventListener("submit", (event) => {
  event.preventDefault();
  tryItem().catch(failed);
});

// ------------------------------------------------------------------------------------------------------------------- the report

const report = { data: null, filter: null, limit: 50 };

async function loadReport() {
  const box = find("report");
  if (!report.data) box.replaceChildren(make("p", { class: "quiet" }, "Loading…"));
  try {
    report.data = await api("v1/report");
  } catch (problem) {
    report.data = null;
    find("report-summary").textContent = "";
    if (problem.status !== 404) {
      box.replaceChildren(make("p", {}, problem.message ?? ""));
      throw problem;
    }
    box.replaceChildren(make("div", { class: "empty" }, make("p", { class: "head" }, "No evaluation yet."), make("p", {}, problem.message),
      make("p", {}, "A report says how often the answers are right, section by section, on a list of items whose section is known:"),
      make("pre", {}, make("code", {}, "aisle eval"))));
    return;
  }
  report.filter = null;
  report.limit = 50;
  await layoutOf(report.data.store.id).catch(() => null);
  renderReport();
}

const interval = (share) => `${percent(share.low, 1).replace(/%$/, "")}–${percent(share.high, 1)}`;
const points = (value) => (value === null ? "n/a" : `${value < 0 ? "−" : "+"}${Math.abs(value * 100).toFixed(1)}`);

function table(caption, heads, rows, { id = null, kind: kindOfTable = null } = {}) {
  const box = make("div", { class: "scroll" }, make("table", { id, class: kindOfTable }, make("caption", {}, make("span", {}, caption)),
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", { scope: "col", class: head.startsWith("#") ? "n" : null }, head.replace(/^#/, ""))))),
    make("tbody", {}, ...rows)));
  scrollable.observe(box);
  return box;
}

// A box that scrolls sideways can be reached with the Tab key; one that does not is no stop.
const scrollable = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const isWide = target.scrollWidth > target.clientWidth;
    target.tabIndex = isWide ? 0 : -1;
    if (isWide) {
      target.setAttribute("role", "region");
      target.setAttribute("aria-label", target.querySelector("caption")?.textContent ?? "Table");
    } else for (const name of ["role", "aria-label", "tabindex"]) target.removeAttribute(name);
  }
});

function bar(share) {
  const fill = make("span", { class: "fill" });
  fill.style.width = `${(share ?? 0) * 100}%`;
  return make("span", { class: "share" }, percent(share, 1), make("span", { class: "track", "aria-hidden": "true" }, fill));
}

function renderReport() {
  const data = report.data;
  const { metrics } = data;
  const store = data.store.id;
  const name = (section) => chip(section, store);
  find("report-summary").replaceChildren(`${data.store.name} · ${plural(data.corpus.items, "item")} · `, make("code", {}, data.chain.join(",")), ` · aisle ${data.tool}`);
  const figures = [
    ...data.splits.map((split) => [split.split, "right", split.metrics.accuracy]), ["unplaced", "no strategy decides", metrics.unplaced],
    ["sure", "confidence 0.90 or more", metrics.sure], ["sure and right", "of the sure", metrics.sure_accuracy],
  ];
  const hero = make("div", { class: "headline" },
    make("div", { class: "hero" }, make("p", { class: "big" }, percent(metrics.accuracy.value, 1)),
      make("p", {}, `right: ${number(metrics.accuracy.count)} of ${number(metrics.accuracy.total)}`),
      make("p", { class: "quiet" }, `95% interval ${interval(metrics.accuracy)}`),
      ...(data.gate.verdicts.length ? [make("p", { class: data.gate.passed ? "good" : "bad" }, make("strong", {}, data.gate.passed ? "The gate passed." : "The gate failed.")),
        make("ul", { class: "verdicts" }, ...data.gate.verdicts.map((verdict) => make("li", {}, make("b", { class: verdict.passed ? "good" : "bad" }, verdict.passed ? "passed" : "failed"), ` ${verdict.name}: ${verdict.detail}`)))] : [])),
    table("Shares of items with their uncertainty.", ["figure", "#value", "#95% interval"], [
      ...figures.map(([figure, about, share]) => make("tr", {}, make("th", { scope: "row" }, figure, " ", make("span", { class: "quiet small" }, about)),
        make("td", { class: "n strong" }, percent(share.value, 1)), make("td", { class: "n" }, share.total ? interval(share) : ""))),
      make("tr", {}, make("th", { scope: "row" }, "macro-F1 ", make("span", { class: "quiet small" }, "mean of the sections")), make("td", { class: "n strong" }, metrics.macro_f1?.toFixed(3) ?? "n/a"), make("td")),
      make("tr", {}, make("th", { scope: "row" }, "ECE ", make("span", { class: "quiet small" }, "expected calibration error")), make("td", { class: "n strong" }, metrics.calibration.expected_error?.toFixed(3) ?? "n/a"), make("td")),
    ]));
  const sections = table("“Found” is how many of a section's items got it, “right” how many of its answers are right.", ["section", "#items", "found", "right", "#F1"],
    metrics.sections.filter((section) => section.support || section.predicted).map((section) => make("tr", {}, make("th", { scope: "row" }, name(section.name)),
      make("td", { class: "n" }, number(section.support)), make("td", {}, bar(section.recall)), make("td", {}, bar(section.precision)), make("td", { class: "n" }, section.f1?.toFixed(3) ?? "n/a"))), { kind: "by-section" });
  find("report").replaceChildren(hero, ...(data.comparison ? [make("h2", {}, "Flips"), ...flips(data.comparison, name)] : []),
    make("h2", {}, "Sections"), sections, make("h2", {}, "Confusion"), matrix(metrics.confusion, store),
    make("h2", { id: "errors-title", tabindex: "-1" }, "Errors"), make("div", { id: "errors" }));
  renderErrors();
}

function flips(comparison, name) {
  const { difference } = comparison;
  const trend = difference.noise ? "" : difference.value < 0 ? "bad" : "good";
  const answer = (each) => [name(each.section), make("span", { class: "small quiet block" }, `${each.confidence.toFixed(2)} `, make("bdi", {}, each.reason || (each.strategy === "none" ? "no strategy decides" : each.strategy)))];
  const part = (title, changes, id) => {
    if (!changes.length) return [];
    const box = make("div");
    const show = (limit) => {
      box.replaceChildren(table("Each item with both answers.", ["item", "expected", "before", "after"], changes.slice(0, limit).map((flip) => make("tr", {},
        make("th", { scope: "row" }, make("bdi", {}, flip.item)), make("td", {}, ...flip.expected.map((each) => name(each))), make("td", {}, ...answer(flip.before)), make("td", {}, ...answer(flip.after)))), { id, kind: "wide" }),
        changes.length > limit ? make("p", {}, make("button", { type: "button", click: () => show(Infinity) }, `Show all ${number(changes.length)}`)) : "");
    };
    show(50);
    return [make("h3", {}, `${title} (${number(changes.length)})`), box];
  };
  return [
    make("p", {}, make("strong", { class: trend }, `${points(difference.value)} points`), ` since the baseline, 95% interval ${points(difference.low)} to ${points(difference.high)}${difference.noise ? "; this may be noise" : ""}. `,
      `${number(difference.lost)} lost, ${number(difference.won)} won, ${number(comparison.moved.length)} moved, of ${number(difference.total)}.`),
    ...part("Lost: were right, are wrong", comparison.lost, "lost"), ...part("Won: were wrong, are right", comparison.won, "won"),
    ...part("Moved: another section, but still right or still wrong", comparison.moved, "moved"),
  ];
}

function matrix({ names, counts }, store) {
  const used = names.map((_, place) => place).filter((place) => counts[place].some(Boolean) || counts.some((row) => row[place]));
  const rows = used.map((row) => {
    const total = counts[row].reduce((sum, count) => sum + count, 0);
    return make("tr", {}, make("th", { scope: "row" }, chip(names[row], store)), ...used.map((column) => {
      const count = counts[row][column];
      if (!count) return make("td");
      if (row === column) return make("td", { class: "ok" }, number(count));
      const heat = Math.min(6, 1 + Math.floor(Math.log2(1 + (count / total) * 500)));
      return make("td", { class: `no h${heat}` }, make("button", { type: "button", "data-expected": names[row], "data-section": names[column], "aria-pressed": "false",
        "aria-label": `${number(count)}: ${names[row]} answered as ${names[column]}; show these errors`, title: `${names[row]} answered as ${names[column]}` }, number(count)));
    }), make("td", { class: "sum" }, number(total)));
  });
  const box = make("div", { class: "scroll" }, make("table", { class: "matrix", id: "matrix" }, make("caption", {}, make("span", {}, "Rows: the section that items belong to. Columns: the answer. Select a count to see its errors.")),
    make("thead", {}, make("tr", {}, make("th", { scope: "col", class: "corner" }, make("span", {}, "belongs to ↓"), make("span", {}, "answered →")),
      ...used.map((place) => make("th", { scope: "col" }, make("span", {}, chip(names[place], store)))), make("th", { scope: "col", class: "sum" }, "all"))),
    make("tbody", {}, ...rows)));
  box.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const { expected, section } = button.dataset;
    const isSame = report.filter?.expected === expected && report.filter?.section === section;
    report.filter = isSame ? null : { expected, section };
    report.limit = 50;
    renderErrors();
    if (isSame) return;
    find("errors-title").focus({ preventScroll: true });
    find("errors-title").scrollIntoView();
  });
  scrollable.observe(box);
  return box;
}

function renderErrors() {
  const { data, filter, limit } = report;
  for (const button of document.querySelectorAll("#matrix button")) {
    button.setAttribute("aria-pressed", button.dataset.expected === filter?.expected && button.dataset.section === filter?.section);
  }
  const errors = data.items.filter((item) => !item.right);
  const shown = filter ? errors.filter((item) => item.expected[0] === filter.expected && item.section === filter.section) : errors;
  const words = filter ? `${number(shown.length)} of ${plural(errors.length, "error")}: ${filter.expected} answered as ${filter.section}` : plural(errors.length, "error");
  find("errors").replaceChildren(
    make("p", { role: "status" }, words, " ", filter ? make("button", { type: "button", click: () => { report.filter = null; renderErrors(); find("errors-title").focus(); } }, "Show all") : ""),
    shown.length ? table("Items with a wrong answer.", ["item", "expected", "answer", "#confidence", "why"], shown.slice(0, limit).map((item) => make("tr", {},
      make("th", { scope: "row" }, make("bdi", {}, item.item), make("span", { class: "small quiet block" }, item.location)), make("td", {}, ...item.expected.map((each) => chip(each, data.store.id))),
      make("td", {}, chip(item.section, data.store.id)), make("td", { class: "n" }, item.confidence.toFixed(2)),
      make("td", {}, make("bdi", {}, item.keyword ?? (item.strategy === "none" ? "no strategy decides" : item.strategy)), item.rule ? make("span", { class: "small quiet block" }, item.rule) : ""))), { kind: "wide", id: "error-table" }) : "",
    shown.length > limit ? make("p", {}, make("button", { type: "button", click: () => { report.limit += 200; renderErrors(); } }, `Show more of ${number(shown.length)}`)) : "");
  if (filter) say(words);
}
find("report-again").addEventListener("click", () => loadReport().then(() => say("The report is up to date."), failed));

// ---------------------------------------------------------------------------------------------------------------- pages and keys

const VIEWS = ["list", "suggestions", "taught", "store", "report"];
const TITLES = { list: "List", suggestions: "Suggestions", taught: "Taught", store: "Store", report: "Report" };

function setTitle() {
  const count = queue.all.length && state.view === "suggestions" ? ` (${number(queue.all.length)})` : "";
  document.title = `${TITLES[state.view]}${count} · aisle`;
}

async function showView({ isFirst = false } = {}) {
  const name = location.hash.slice(1).split("/")[0] || "list";
  const before = state.view;
  state.view = VIEWS.includes(name) ? name : "list";
  endDrag();
  for (const view of VIEWS) find(`view-${view}`).hidden = view !== state.view;
  for (const link of document.querySelectorAll("#tabs a")) {
    if (link.hash === `#${state.view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  setTitle();
  if (!state.me || state.store === null) return;
  try {
    if (state.view === "list") renderList();
    if (state.view === "suggestions") await loadSuggestions();
    if (state.view === "taught") await Promise.all([loadTaught(), loadHistory()]);
    if (state.view === "store") await showStore();
    if (state.view === "report" && !report.data) await loadReport();
  } catch (problem) {
    failed(problem);
  }
  if (isFirst) return;
  if (before !== state.view) window.scrollTo({ top: 0, behavior: "instant" });
  const title = state.view === "store" && location.hash.includes("/") ? find("shelf-title") : find(`${state.view}-title`);
  title?.focus({ preventScroll: before === state.view ? false : true });
}
window.addEventListener("hashchange", () => showView());

const areKeysOn = () => local.get("keys") !== "off";
find("keys-on").addEventListener("change", () => local.set("keys", find("keys-on").checked ? "on" : "off"));
find("keys-button").addEventListener("click", showKeys);
find("keys").addEventListener("click", (event) => { if (event.target === find("keys")) find("keys").close(); });
function showKeys() {
  find("keys-on").checked = areKeysOn();
  find("keys").showModal();
}

const isText = (element) => element?.matches?.("input:not([type=checkbox]), textarea, select, [contenteditable]") ?? false;

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && drag.row) {
    endDrag();
    drag.isOver = true;
    setTimeout(() => { drag.isOver = false; }, 300);
    say("Not moved.");
    return;
  }
  if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
  if (isText(document.activeElement)) {
    if (event.key === "Escape") document.activeElement.blur();
    return;
  }
  if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "z") {
    event.preventDefault();
    undo();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isRow = document.activeElement?.closest?.("#sections li.item");
  const arrows = {
    list: isRow && { ArrowDown: () => step(1), ArrowUp: () => step(-1), Home: () => step(-LIMIT), End: () => step(LIMIT) },
    suggestions: document.activeElement?.closest?.("#queue") && { ArrowDown: () => stepQueue(1), ArrowUp: () => stepQueue(-1), Home: () => stepQueue(-LIMIT), End: () => stepQueue(LIMIT) },
  }[state.view];
  const letters = areKeysOn() ? {
    "?": showKeys, u: () => undo(), "/": () => find({ taught: "taught-query", store: "store-query", list: "items" }[state.view] ?? "")?.focus(),
    ...(state.view === "list" ? { j: () => step(1), k: () => step(-1), m: () => currentRow() && chooseFor(currentRow()) } : {}),
    ...(state.view === "suggestions" ? { j: () => stepQueue(1), k: () => stepQueue(-1), a: () => decideSuggestion("accept"), d: () => decideSuggestion("dismiss"),
      e: () => decideSuggestion("edit"), A: () => decideSuggestion("accept-all"), D: () => decideSuggestion("dismiss-all") } : {}),
  } : {};
  const action = arrows?.[event.key] ?? letters[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

// ----------------------------------------------------------------------------------------------------------------------- starting

async function start() {
  try {
    state.me = await api("v1/me");
    if (!state.me.can && state.me.needs_token) {
      askForToken("");
      return;
    }
    document.documentElement.classList.toggle("may-teach", mayTeach());
    find("check").hidden = !mayCheck();
    find("check").title = mayCheck() ? `Have ${state.me.model} look for items in the wrong section` : "";
    await loadStores();
    sortList({ isFresh: true });
    stream.wake?.();
    await loadSuggestions();
    await showView({ isFirst: true });
  } catch (problem) {
    failed(problem);
  }
}

/** The page as the server sent it works by itself; this takes it over. */
function takeOver() {
  document.documentElement.classList.add("js");
  const plain = find("plain-list");
  const sent = [...plain.querySelectorAll("li")].map((item) => item.textContent);
  plain.remove();
  find("sort").remove();
  find("items").value = sent.length ? sent.join("\n") : find("items").value || (local.get("items") ?? "");
  for (const id of ["result", "tabs", "keys-button"]) find(id).hidden = false;
  showView({ isFirst: true });
}

takeOver();
start();
listen();
// While nothing answers, this asks again; while it does, the events tell.
setInterval(() => { if (state.isOffline) request("health").catch(() => {}); }, 3000);
