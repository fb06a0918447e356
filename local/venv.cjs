// The virtual environment of the local AWS: where it is, whether it has what local/requirements.txt lists, and what makes it.
// For tools/run.mjs, which starts it beside npm and on Node 20, and for local/python.ts: plain JavaScript, no dependency.
const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');

const oldestMinor = 11;
const names = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11'];

/** What a command answers to "which Python 3 are you?": its minor version, or undefined if there is none. */
function minorVersion(command) {
  const question = 'import sys; print(sys.version_info[1] if sys.version_info[0] == 3 else 0)';
  const asked = spawnSync(command, ['-c', question], { encoding: 'utf8' });
  return asked.status === 0 ? Number(asked.stdout) : undefined;
}

function findPython() {
  const found = [];
  for (const command of names) {
    const minor = minorVersion(command);
    if (minor !== undefined && minor >= oldestMinor) return command;
    if (minor !== undefined) found.push(`${command} is 3.${minor}`);
  }
  throw new Error(
    `the local AWS needs Python 3.${oldestMinor} or newer, and ${found[0] ?? 'there is no python3 on PATH'}: install one that PATH reaches as python3.`,
  );
}

function venvOf(root) {
  const requirements = join(root, 'local', 'requirements.txt');
  const directory = join(root, '.local-aws', 'venv');
  const python = join(directory, 'bin', 'python');
  const stamp = join(directory, 'installed');
  const desired = createHash('sha256')
    .update(`${process.platform}-${process.arch} ${directory}\n`) // a virtual environment cannot be moved
    .update(readFileSync(requirements))
    .digest('hex');
  return {
    directory,
    python,
    // `python` is a link: it is there only while the Python it was made from is.
    isInstalled: existsSync(python) && existsSync(stamp) && readFileSync(stamp, 'utf8') === desired,
    makerArguments: [join(root, 'local', 'make_venv.py'), directory, requirements, desired],
  };
}

/** What there is to say where it was not made: the last line of the error output says why. */
function whyNotMade(directory, status, errorOutput) {
  const why = errorOutput.trim().split('\n').at(-1) || `it ended with status ${status}`;
  return `the Python packages of the local AWS could not be installed into ${directory}: ${why}`;
}

module.exports = { findPython, venvOf, whyNotMade };
