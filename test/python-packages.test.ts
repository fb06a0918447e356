/** What pip installs for the local AWS: one version of each package, and no file whose hash is not listed in local/requirements.txt. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { ensurePython } from '../local/python.ts';
import { requirementsOf } from '../tools/licences.ts';
import { temporaryDirectory } from './fixtures/temporary-directory.ts';

const root = join(__dirname, '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

describe('local/requirements.txt', () => {
  const text = read('local/requirements.txt');
  const packages = requirementsOf(text);

  test('each package has one version and the hashes of its files', () => {
    expect(packages.length).toBeGreaterThan(60);
    expect(new Set(packages.map(({ name }) => name)).size).toBe(packages.length);
    // The parser refuses a line without a hash; nothing that looks like one is lost on the way.
    expect(packages.flatMap(({ hashes }) => hashes)).toEqual(
      [...text.matchAll(/sha256:([0-9a-f]+)/g)].map(([, hash]) => hash),
    );
  });

  test('it has all that local/requirements.in asks for, and no address', () => {
    const demand = read('local/requirements.in')
      .split('\n')
      .filter((line) => /^[^#\s]/.test(line));
    expect(demand.length).toBeGreaterThan(3);
    const pinned = packages.map(({ name, version }) => `${name}==${version}`);
    for (const line of demand) expect(pinned).toContain(line.replace(/\[.*\]/, ''));
    // Comments too; options outside of them are refused by the parser.
    expect(['://', 'index-url', 'find-links'].filter((one) => text.includes(one))).toEqual([]);
  });

  const hash = 'a'.repeat(64);
  test.each([
    ['no version', `boto3 --hash=sha256:${hash}`],
    ['a range', `boto3>=1.0 --hash=sha256:${hash}`],
    ['no hash', 'boto3==1.0'],
    ['a hash of another kind', `boto3==1.0 --hash=md5:${'a'.repeat(32)}`],
    ['a hash that is cut', `boto3==1.0 --hash=sha256:${hash.slice(1)}`],
    ['an address', `boto3 @ https://files.example/boto3.whl --hash=sha256:${hash}`],
    ['an option', '--index-url https://index.example/simple'],
  ])('%s is refused', (_, line) => {
    expect(() => requirementsOf(`six==1.0 \\\n    --hash=sha256:${hash}\n${line}\n`)).toThrow(
      `no package with one version and a SHA-256 of each file: ${line.slice(0, 80)}`,
    );
  });
});

describe('local/make_venv.py', () => {
  const directory = temporaryDirectory();
  const wheel = zipSync(
    {
      'sample.py': strToU8('answer = 42\n'),
      'sample-1.0.dist-info/METADATA': strToU8('Metadata-Version: 2.1\nName: sample\nVersion: 1.0\n'),
      'sample-1.0.dist-info/WHEEL': strToU8('Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
      'sample-1.0.dist-info/RECORD': strToU8(''),
    },
    { mtime: '2026-01-01' },
  );
  // A source distribution of the same: whoever builds it needs more packages.
  const source = zipSync({ 'source-1.0/setup.py': strToU8('') }, { mtime: '2026-01-01' });
  const hashOf = (file: Uint8Array): string => createHash('sha256').update(file).digest('hex');
  const hash = hashOf(wheel);
  /** One digit differs. */
  const wrong = `${hash.slice(0, -1)}${hash.endsWith('0') ? '1' : '0'}`;

  /** An environment takes seconds to make: its pip is that of the local AWS, which installs into a folder and asks no index. */
  const driver = `
import pathlib, runpy, subprocess, sys
python, requirements, venv = sys.argv[1:]
Popen = subprocess.Popen
def instead(command, **options):
    if "venv" not in command:
        return Popen([python, *command[1:]], **options)
    pathlib.Path(venv).mkdir()
    return Popen(["true"], **options)
subprocess.Popen = instead
sys.argv = ["make_venv.py", venv, requirements, "wanted"]
runpy.run_path(${JSON.stringify(join(root, 'local/make_venv.py'))}, run_name="__main__")
`;
  let python: string;
  beforeAll(async () => {
    python = await ensurePython({ root, say: () => {} });
    mkdirSync(join(directory.path, 'index'));
    writeFileSync(join(directory.path, 'index/sample-1.0-py3-none-any.whl'), wheel);
    writeFileSync(join(directory.path, 'index/source-1.0.zip'), source);
  }, 600_000);

  function install(requirements: string) {
    const place = mkdtempSync(join(directory.path, 'venv-'));
    const file = join(place, 'requirements.txt');
    writeFileSync(file, requirements);
    const { status, stderr } = spawnSync(python, ['-c', driver, python, file, join(place, 'venv')], {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        PIP_CONFIG_FILE: '/dev/null',
        PIP_NO_INDEX: '1',
        PIP_FIND_LINKS: join(directory.path, 'index'),
        PIP_TARGET: join(place, 'installed'),
      },
    });
    return {
      status,
      lines: stderr.trim().split('\n'),
      isInstalled: existsSync(join(place, 'installed/sample.py')),
      isDone: existsSync(join(place, 'venv/installed')),
    };
  }
  const failed = '`pip install` (it needs its package index once) failed: ';
  const refused = (line: string) => ({
    ...{ status: 1, isInstalled: false, isDone: false },
    lines: [expect.stringContaining(`${failed}${line}`)],
  });

  test('a file whose hash is one of those listed is installed', () => {
    expect(install(`sample==1.0 --hash=sha256:${wrong} --hash=sha256:${hash}\n`)).toEqual({
      ...{ status: 0, lines: [''], isInstalled: true, isDone: true },
    });
  });

  test('a file whose hash differs in one digit is not, and one line says which', () => {
    expect(install(`sample==1.0 --hash=sha256:${wrong}\n`)).toEqual(
      refused('sample==1.0 was refused: the file of the package index has none of the listed hashes'),
    );
  });

  test('no package is installed without a hash, also where it is the only one', () => {
    expect(install('sample==1.0\n')).toEqual(refused('sample==1.0 --hash=sha256:'));
  });

  test('nothing is built from source: what builds it has no hashes', () => {
    expect(install(`source==1.0 --hash=sha256:${hashOf(source)}\n`)).toEqual(
      refused('ERROR: No matching distribution found for source==1.0'),
    );
  });
});
