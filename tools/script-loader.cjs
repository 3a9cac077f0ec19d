// The part of a packed script that loads its pieces (pack-script.mjs puts it there, shortened): `name`, `id`, `places` and
// `texts` are given. No import, export or require() of its own, so that it does not matter what Node takes a script for.
//
// What V8 made of the pieces is kept for the next run, which saves a fifth of the time of a short one. Node does that for
// files since version 22, but not for texts. The pieces that a verb needs are compiled and kept as one: each by itself
// takes longer to look at than to read. The first run of a verb tells which they are, the second compiles them together,
// and from the third on there is nothing to compile. Whoever may write there may run what they like as us, so it must be
// ours.
'use strict';
const { Script } = process.getBuiltinModule('node:vm');
const fs = process.getBuiltinModule('node:fs');
const { env, version, arch, argv, getuid } = process;

const WEEK_MS = 7 * 24 * 3_600_000;

const cache = env.KUBECACHEDIR || (env.HOME && `${env.HOME}/.kube/cache`);
const isOff = !cache || env.NODE_DISABLE_COMPILE_CACHE !== undefined || getuid === undefined;
const all = `${cache}/${name}/code`;
const folder = `${all}/${id}-${version}-${arch}`;
const [, , word = ''] = argv;
const file = `${folder}/${/^[a-z][a-z-]{0,30}$/.test(word) ? word : 'other'}.bin`;
const loaded = new Map();
/** Functions of pieces that were compiled together, and the script that they are of. */
const together = new Map();
let script;
/** Whether the script knows more than the file. */
let isNew = false;

function isOurs(path) {
  try {
    const { uid, mode } = fs.statSync(path);
    return uid === getuid() && (mode & 0o022) === 0;
  } catch {
    return false;
  }
}

/** What its source has before the texts. */
const BEFORE = '()=>{/*'.length;
const source = texts.toString();

function wrapped(piece) {
  const [start, end, hasMarks] = places[piece];
  const text = source.slice(BEFORE + start, BEFORE + end);
  // What would end the comment has a mark in it.
  return `(function(exports,require){${hasMarks ? text.replaceAll('*\x01/', '*/') : text}\n})`;
}

/** A file has the names of the pieces in its first line, and then what V8 made of them, if anything. */
function prepare() {
  if (isOff || !isOurs(folder)) return;
  let names;
  let cachedData;
  try {
    const bytes = fs.readFileSync(file);
    const end = bytes.indexOf('\n');
    names = JSON.parse(bytes.toString('latin1', 0, end));
    if (bytes.length > end + 1) cachedData = bytes.subarray(end + 1);
    if (!names.every((piece) => Object.hasOwn(places, piece))) return;
  } catch {
    return;
  }
  script = new Script(`[${names.map(wrapped).join()}]`, { filename: name, cachedData });
  isNew = cachedData === undefined || script.cachedDataRejected;
  for (const [at, run] of script.runInThisContext().entries()) together.set(names[at], run);
}

function load(piece) {
  const known = loaded.get(piece);
  if (known !== undefined) return known;
  if (!Object.hasOwn(places, piece)) return process.getBuiltinModule(piece);
  const exports = {};
  loaded.set(piece, exports);
  const run = together.get(piece) ?? compile(piece);
  run(exports, load);
  return exports;
}

const compile = (piece) =>
  new Script(wrapped(piece), { filename: name + piece.slice(1) }).runInThisContext();

/** At the end, when V8 knows more of the pieces than at their start. */
function keep() {
  // Who interrupts a run does not want to wait; and what fails may be no verb at all.
  if (isOff || process.exitCode > 128 || process.exitCode === 1) return;
  const more = [...loaded.keys()].filter((piece) => !together.has(piece));
  if (more.length === 0 && !isNew) return;
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOurs(folder)) return;
    const head = `${JSON.stringify([...together.keys(), ...more])}\n`;
    const made = more.length === 0 ? script.createCachedData() : '';
    const draft = `${file}.${process.pid}.tmp`;
    // On the disk before it has its name: V8 believes what it reads, and half of it after a power cut would be fatal.
    fs.writeFileSync(draft, made === '' ? head : Buffer.concat([Buffer.from(head), made]), {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    });
    fs.renameSync(draft, file);
    for (const other of fs.readdirSync(all)) {
      const { mtimeMs } = fs.statSync(`${all}/${other}`);
      if (Date.now() - mtimeMs > WEEK_MS) fs.rmSync(`${all}/${other}`, { recursive: true });
    }
  } catch {
    // A disk that is full or not ours to write makes no run fail.
  }
}

prepare();
process.on('exit', keep);
load('./main.js');
