// A peer of the benchmark: the loop that grocery-list apps write. Items on standard input, `item<TAB>section` on standard output.
//
// node loop.js KEYWORDS, a JSON file: {"fallback": name, "sections": [{"name": name, "keywords": [text, …]}, …]}
"use strict";
const fs = require("fs");

const store = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));

function categorize(item) {
  const text = item.toLowerCase();
  for (const section of store.sections) {
    for (const keyword of section.keywords) {
      if (text.includes(keyword)) return section.name;
    }
  }
  return store.fallback;
}

const lines = fs.readFileSync(0, "utf8").split("\n");
if (lines[lines.length - 1] === "") lines.pop();
fs.writeSync(1, lines.map((line) => `${line}\t${categorize(line)}\n`).join(""));
