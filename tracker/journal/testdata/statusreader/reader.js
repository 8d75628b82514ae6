// The same as reader.py, for machines that have node and no python3.
"use strict";
const fs = require("fs");

const kinds = ["active", "running", "waiting", "idle", "error"];
const need = (ok, why) => { if (!ok) throw new Error(why); };
const text = (v) => typeof v === "string";
const truth = (v) => typeof v === "boolean";
const seconds = (v) => Number.isInteger(v) && v < 10_000_000_000; // not milliseconds
const line = (v) => text(v) && [...v].length <= 80 && !/[\u0000-\u001f\u007f-\u009f]/.test(v);

function fields(obj, where, types) {
  need(obj !== null && typeof obj === "object" && !Array.isArray(obj), `${where} is no object`);
  for (const [name, ok] of Object.entries(types)) {
    need(name in obj, `${where} has no ${name}`);
    need(ok(obj[name]), `${where}: ${name} is ${JSON.stringify(obj[name])}`);
  }
}

function check(raw) {
  const data = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(raw));
  fields(data, "the file", { generatedAt: (v) => seconds(v) && v > 0, sessions: Array.isArray });
  for (const s of data.sessions) {
    fields(s, "a session", { name: text, attached: truth, activity: seconds, windows: Array.isArray });
    for (const w of s.windows) {
      fields(w, "a window", { index: Number.isInteger, name: text, command: text, active: truth, summary: line,
        statusKind: (v) => kinds.includes(v), target: (v) => v === `${s.name}:${w.index}` });
    }
  }
  return data;
}

function fail(e) {
  console.log(`broken: ${e.message}`);
  process.exit(1);
}

function watch(path) {
  let reads = 0, ended = false;
  const seen = new Set();
  process.stdin.on("end", () => { ended = true; }).resume();
  console.log("ready");
  const next = () => {
    if (ended) {
      console.log(`${reads} reads, ${seen.size} different`);
      return;
    }
    try {
      seen.add(check(fs.readFileSync(path)).generatedAt);
      reads++;
    } catch (e) {
      if (e.code !== "ENOENT" || reads > 0) fail(e);
    }
    setImmediate(next);
  };
  next();
}

const args = process.argv.slice(2);
if (args[0] === "--once") {
  try { check(fs.readFileSync(args[1])); } catch (e) { fail(e); }
} else {
  watch(args[0]);
}
