// The part of a packed script that loads its pieces (pack-script.mjs puts it there, shortened): `pieces`, `id` and
// `name` are given. No import, export or require() of its own, so that it does not matter what Node takes a script for.
//
// What V8 made of a piece is kept for the next run, which saves a fifth of the time of a short one. Node does that for
// files since version 22, but not for texts. Whoever may write there may run what they like as us, so it must be ours.
'use strict';
const { Script } = process.getBuiltinModule('node:vm');
const fs = process.getBuiltinModule('node:fs');
const { env, version, arch, getuid } = process;

/** Shorter pieces are compiled as fast as they are read. */
const WORTH_KEEPING = 3000;
const WEEK_MS = 7 * 24 * 3_600_000;

const cache = env.KUBECACHEDIR || (env.HOME && `${env.HOME}/.kube/cache`);
const isOff = !cache || env.NODE_DISABLE_COMPILE_CACHE !== undefined || getuid === undefined;
const all = `${cache}/${name}/code`;
const folder = `${all}/${id}-${version}-${arch}`;
const loaded = new Map();
const unknown = [];
const isTrusted = !isOff && isOurs(folder);

const fileOf = (piece) => `${folder}${piece.slice(1)}.bin`;

function isOurs(path) {
  try {
    const { uid, mode } = fs.statSync(path);
    return uid === getuid() && (mode & 0o022) === 0;
  } catch {
    return false;
  }
}

function load(piece) {
  const known = loaded.get(piece);
  if (known !== undefined) return known.exports;
  if (!Object.hasOwn(pieces, piece)) return process.getBuiltinModule(piece);
  const module = { exports: {} };
  loaded.set(piece, module);
  const code = `(function(exports,require,module){${pieces[piece]}\n})`;
  const isWorthIt = !isOff && code.length > WORTH_KEEPING;
  const cachedData = isWorthIt && isTrusted ? read(piece) : undefined;
  const script = new Script(code, { filename: name + piece.slice(1), cachedData });
  if (isWorthIt && (cachedData === undefined || script.cachedDataRejected)) {
    unknown.push([piece, script]);
  }
  script.runInThisContext()(module.exports, load, module);
  return module.exports;
}

function read(piece) {
  try {
    return fs.readFileSync(fileOf(piece));
  } catch {
    return undefined;
  }
}

/** At the end, when V8 knows more of the pieces than at their start. */
function keep() {
  // Who interrupts a run does not want to wait.
  if (unknown.length === 0 || process.exitCode > 128) return;
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOurs(folder)) return;
    for (const [piece, script] of unknown) {
      const draft = `${fileOf(piece)}.${process.pid}.tmp`;
      // On the disk before it has its name: V8 believes what it reads, and half of it after a power cut would be fatal.
      fs.writeFileSync(draft, script.createCachedData(), { mode: 0o600, flag: 'wx', flush: true });
      fs.renameSync(draft, fileOf(piece));
    }
    for (const other of fs.readdirSync(all)) {
      const { mtimeMs } = fs.statSync(`${all}/${other}`);
      if (Date.now() - mtimeMs > WEEK_MS) fs.rmSync(`${all}/${other}`, { recursive: true });
    }
  } catch {
    // A disk that is full or not ours to write makes no run fail.
  }
}

process.on('exit', keep);
load('./main.js');
