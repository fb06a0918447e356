/** The GitHub Action as far as it goes without GitHub: its scripts run, `gh`, `aws` and the command line are stand-ins. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { commentMark } from '../../report/check/markdown.ts';
import { temporaryDirectory } from '../fixtures/temporary-directory.ts';

const directory = temporaryDirectory();
const root = join(__dirname, '../..');
const calls = join(directory.path, 'calls.txt');
const file = (name: string): string => join(directory.path, name);

/** Writes what it was called with, a line each; then does what the body says. */
function standIn(name: string, body = ''): string {
  const path = directory.write(
    `bin/${name}`,
    `#!/usr/bin/env bash\necho "${name} $*" >> "${calls}"\n${body}\n`,
  );
  chmodSync(path, 0o755);
  return path;
}

const lines = (): string[] => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []);

function run(script: string, env: Record<string, string>) {
  writeFileSync(calls, '');
  const path = `${file('bin')}:${process.env['PATH'] ?? ''}`;
  const done = spawnSync('bash', [join(root, 'action', script)], {
    env: { PATH: path, ...env },
    encoding: 'utf8',
  });
  expect(done.stderr).toBe('');
  return done.status;
}

const ofCheck = {
  INPUT_PATHS: 'plan.json\nmany manifests/\n',
  ...{ INPUT_CHANGED_ONLY: 'true', INPUT_MIN_USD: '5', INPUT_FAIL_ON: 'warning' },
  ...{ COMMENT_FILE: file('comment.md'), WORK_DIRECTORY: directory.path, GITHUB_OUTPUT: file('outputs') },
};

test('every action that it uses is pinned by the SHA of a commit, and what people give is never part of a script', () => {
  const action = parse(readFileSync(join(root, 'action/action.yml'), 'utf8')) as {
    runs: { using: string; steps: { uses?: string; run?: string }[] };
  };
  const { using, steps } = action.runs;
  expect(using).toBe('composite');
  const used = steps.flatMap(({ uses }) => uses ?? []);
  expect(used).not.toEqual([]);
  for (const one of used) expect(one).toMatch(/@[0-9a-f]{40}$/);
  for (const { run: script = '' } of steps) expect(script).not.toContain('${{');
});

test('the check: each path is one argument, the exit code an output, no call to AWS', () => {
  const stripewise = standIn(
    'stripewise',
    'printf "%s|" "$@" > "$WORK_DIRECTORY/arguments"; echo comment > "$COMMENT_FILE"; exit 1',
  );
  standIn('aws');
  expect(run('check.sh', { ...ofCheck, STRIPEWISE: stripewise })).toBe(0);
  expect(readFileSync(file('arguments'), 'utf8')).toBe(
    `check|plan.json|many manifests/|--changed-only|--fail-on|warning|--output|markdown=${file('comment.md')}|--min-usd|5|`,
  );
  expect(readFileSync(file('outputs'), 'utf8')).toBe('exit-code=1\n');
  expect(readFileSync(file('comment.md'), 'utf8')).toBe('comment\n');
  expect(lines().filter((line) => line.startsWith('aws'))).toEqual([]);
});

test('between a token that nobody can guess no line of the check is a command of the workflow', () => {
  const stripewise = standIn(
    'stripewise',
    'echo \'aws_ebs_volume.v["##[set-output name=exit-code]0"]\'; printf ::error::x',
  );
  const tokens = ['', ''].map(() => {
    const { stdout } = spawnSync('bash', [join(root, 'action/check.sh')], {
      env: { PATH: process.env['PATH'], ...ofCheck, STRIPEWISE: stripewise },
      encoding: 'utf8',
    });
    const [first = '', ...inner] = stdout.trimEnd().split('\n');
    const token = /^::stop-commands::([\da-f]{32})$/.exec(first)?.[1];
    expect(inner.at(-1)).toBe(`::${token}::`);
    expect(inner.slice(0, 2)).toEqual([expect.stringContaining('##[set-output'), '::error::x']);
    return token;
  });
  expect(tokens[0]).not.toBe(tokens[1]);
});

test('with SARIF it is one run all the same', () => {
  const stripewise = standIn('stripewise', 'exit 0');
  expect(run('check.sh', { ...ofCheck, STRIPEWISE: stripewise, INPUT_SARIF: 'a b.sarif' })).toBe(0);
  expect(lines()).toEqual([expect.stringMatching(/ --output sarif=a b\.sarif --output markdown=/)]);
});

test('with an archive it says what is there, and compares with what was measured', () => {
  const stripewise = standIn('stripewise', 'exit 0');
  standIn('aws', 'echo {}');
  expect(run('check.sh', { ...ofCheck, STRIPEWISE: stripewise, INPUT_ARCHIVE: 's3://a/b' })).toBe(0);
  expect(lines()).toEqual([
    'aws ec2 describe-volumes --output json',
    'aws ec2 describe-instances --output json',
    expect.stringMatching(/--archive s3:\/\/a\/b --volumes \S+volumes\.json --instances \S+instances\.json/),
  ]);
});

describe('the comment', () => {
  const ofComment = {
    REPOSITORY: 'o/r',
    PULL_REQUEST: '7',
    COMMENT_FILE: file('to-post.md'),
    GH_TOKEN: 'none',
  };
  /** Whose token it is: that of a workflow has no user, and what GitHub says of it is on standard output. */
  const ofWorkflow = 'echo \'{"message":"Resource not accessible by integration"}\'; exit 1';
  const post = (comment: string, idThere: string, exitCode = '0'): string[] => {
    writeFileSync(ofComment.COMMENT_FILE, comment);
    standIn(
      'gh',
      `[[ $2 == user ]] && { ${ofWorkflow}; }; [[ $2 == --paginate ]] && echo "${idThere}"; exit 0`,
    );
    expect(run('comment.sh', { ...ofComment, EXIT_CODE: exitCode })).toBe(0);
    return lines().slice(2);
  };

  test.each([
    ['the token of a workflow', ofWorkflow, 11],
    ['the token of a person', 'echo jane; exit 0', 12],
    ['a name that is no login', 'echo \'" or true or "\'; exit 0', 11],
  ])('is looked for among those of whose token it is: %s', (_, user, id) => {
    const comments = [
      { id: 10, user: { login: 'joe', type: 'User' }, body: `${commentMark}\nquoted` },
      { id: 11, user: { login: 'github-actions[bot]', type: 'Bot' }, body: `${commentMark}\na` },
      { id: 12, user: { login: 'jane', type: 'User' }, body: `${commentMark}\nb` },
      { id: 13, user: { login: 'jane', type: 'User' }, body: 'thanks' },
    ];
    writeFileSync(file('comments.json'), JSON.stringify(comments));
    writeFileSync(ofComment.COMMENT_FILE, `${commentMark}\ntext`);
    standIn(
      'gh',
      `[[ $2 == user ]] && { ${user}; }; [[ $2 == --paginate ]] && jq "$5" "${file('comments.json')}"; exit 0`,
    );
    expect(run('comment.sh', ofComment)).toBe(0);
    expect(lines().at(-1)).toContain(`--method PATCH repos/o/r/issues/comments/${id} `);
  });

  test('where a file was not read it is never said that there is nothing any more', () => {
    post('', '42', '3');
    const text = readFileSync(ofComment.COMMENT_FILE, 'utf8');
    expect(text).toContain('a file was not read');
    expect(text).not.toContain('no findings');
  });

  test('is made once, and then updated', () => {
    expect(post(`${commentMark}\ntext`, '')).toEqual([
      expect.stringMatching(/^gh api --method POST repos\/o\/r\/issues\/7\/comments /),
    ]);
    expect(post(`${commentMark}\ntext`, '42')).toEqual([
      expect.stringMatching(/^gh api --method PATCH repos\/o\/r\/issues\/comments\/42 /),
    ]);
  });

  test('without anything to say none is made, and one that is there says so', () => {
    expect(post('', '')).toEqual([]);
    expect(post('', '42')).toHaveLength(1);
    expect(readFileSync(ofComment.COMMENT_FILE, 'utf8')).toMatch(/no findings any more/);
  });

  test('is looked for by the mark that the command line writes', () => {
    expect(readFileSync(join(root, 'action/comment.sh'), 'utf8')).toContain(`mark='${commentMark}'`);
  });
});

// The snippets of the guide.

const guide = readFileSync(join(root, 'docs/guides/check.md'), 'utf8');
const snippets = [...guide.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);

test('the snippets of the guide are YAML; that of GitLab and that of pre-commit run with a stand-in', () => {
  const [github, gitlab, preCommit] = snippets.map((text) => parse(text) as Record<string, unknown>);
  const workflow = github as {
    on: string;
    permissions: object;
    jobs: { check: { steps: { uses?: string; run?: string }[] } };
  };
  expect([workflow.on, workflow.permissions]).toEqual([
    'pull_request',
    { contents: 'read', 'pull-requests': 'write' },
  ]);
  const { steps } = workflow.jobs.check;
  const used = steps.flatMap(({ uses }) => uses ?? []);
  expect(used.at(-1)).toBe('./stripewise/action');
  for (const one of used.slice(0, -1)) expect(one).toMatch(/@[0-9a-f]{40}$/);
  expect(steps.flatMap(({ run: script }) => script ?? []).join('\n')).toMatch(
    /show -json plan\.out > plan\.json$/,
  );
  const stripewise = standIn('stripewise', 'exit 0');
  const job = (gitlab as { stripewise: { script: string[] } }).stripewise;
  standIn('terraform');
  standIn('npm');
  writeFileSync(calls, '');
  const script = job.script.join('\n');
  execFileSync('bash', ['-euc', script], {
    cwd: directory.path,
    env: { PATH: `${file('bin')}:${process.env['PATH'] ?? ''}` },
  });
  expect(lines().filter((line) => line.startsWith('stripewise check'))).not.toEqual([]);
  const [hook] = (preCommit as { repos: [{ hooks: [{ entry: string; files: string }] }] }).repos[0].hooks;
  const path = `${file('bin')}:${process.env['PATH'] ?? ''}`;
  expect(spawnSync('bash', ['-c', `${hook.entry} deploy/pvc.yaml`], { env: { PATH: path } }).status).toBe(0);
  expect(new RegExp(hook.files).test('deploy/pvc.yaml')).toBe(true);
  expect(existsSync(stripewise)).toBe(true);
});

test('the guide has each input of the action with its default', () => {
  const { inputs } = parse(readFileSync(join(root, 'action/action.yml'), 'utf8')) as {
    inputs: Record<string, { default?: string; required?: boolean }>;
  };
  const table = guide.slice(guide.indexOf('| input | says | default |'), guide.indexOf('## GitLab'));
  const rows = [...table.matchAll(/^\| `([a-z-]+)` \| .+ \|(.*)\|$/gm)].map(([, name = '', value = '']) => [
    name,
    value.trim().replaceAll('`', ''),
  ]);
  expect(rows.map(([name]) => name)).toEqual(Object.keys(inputs));
  for (const [name = '', value] of rows) {
    const { default: text, required } = inputs[name] ?? {};
    // An expression of GitHub is said in words.
    if (text?.startsWith('${{') !== true) expect(value).toBe(required ? 'required' : text);
  }
});
