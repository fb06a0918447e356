/**
 * npm run demo:history: ten generated volumes with 90 days behind them, and what an archive says of them. The archive is made once
 * and kept below node_modules/.cache by the hash of what makes it.
 */
import { mkdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { main } from '../cli/main.ts';
import { processIo } from '../cli/process-io.ts';
import { generatedArchive, generatedLabel, generatedTarget } from '../local/history/generated-archive.ts';
import { generatedVolumes, idOf } from '../local/history/generated-volumes.ts';
import { DemoLines } from './demo-lines.ts';
import { endWithParent } from './demo-process.ts';

const root = join(import.meta.dirname, '..');
const lines = new DemoLines();
const say = (line: string): void => lines.say(line);
const shown = (path: string): string => relative(process.cwd(), path) || '.';
const idOfName = (name: string): string => idOf({ name });

/** A command of the command line, as somebody would type it; what it prints follows. */
async function ask(title: string, archive: string, argv: readonly string[]): Promise<void> {
  say('');
  say(`${title} (generated)`);
  const whole = ['history', ...argv, '--archive', archive];
  say(`$ npm run -s stripewise -- ${whole.map((one) => (/[\s*]/.test(one) ? `"${one}"` : one)).join(' ')}`);
  const code = await main(whole, processIo);
  if (code !== 0) throw new Error(`history ${argv[0]} ended with ${code}`);
}

/** The ten, with what the archive has of each. */
function sayVolumes(): void {
  say('');
  say(`${generatedLabel} Account ${generatedTarget.account}, ${generatedTarget.region}:`);
  const longest = Math.max(...generatedVolumes.map(({ name }) => name.length));
  for (const volume of generatedVolumes)
    say(
      `  ${idOf(volume)}  ${volume.name.padEnd(longest)}  ${volume.volumeType} ${volume.limitIops.toLocaleString('en-US')} IOPS: ${volume.about}`,
    );
}

/** DuckDB is an optional peer. */
async function hasDuckDB(): Promise<boolean> {
  try {
    await import('@duckdb/node-api');
    return true;
  } catch {
    return false;
  }
}

const throttledByDay = `SELECT day, count(*) AS throttled_minutes FROM minutes WHERE status = 'throttled' AND resource_id = '${idOfName('billing')}' GROUP BY 1 ORDER BY 1`;

async function demo({ directory }: { directory?: string }): Promise<void> {
  const files = directory === undefined ? join(root, '.demo') : resolve(directory);
  let done = 'beginning';
  lines.step('Looking for the archive, or generating it (a minute the first time) ...');
  const made = await lines.during(
    () => done,
    generatedArchive(root, (one) => {
      done = one;
      lines.stepIfQuiet(one);
    }),
  );
  const [archive, volumes] = [shown(made.archive), shown(made.volumes)];
  lines.step(`The archive: ${archive}`);
  sayVolumes();

  const [orders, billing] = [idOfName('orders'), idOfName('billing')];
  await ask('Trend: orders meets its limit', archive, ['trend', orders, '--volumes', volumes]);
  await ask('No trend: billing peaks at each end of a month', archive, [
    'trend',
    billing,
    '--volumes',
    volumes,
  ]);
  mkdirSync(files, { recursive: true });
  const page = shown(join(files, 'history-billing.html'));
  await ask('Heat map: the ends of months', archive, [
    ...['heat-map', billing, '--html', page, '--note', generatedLabel],
  ]);
  if (await hasDuckDB()) {
    await ask('The fleet by week', archive, ['fleet']);
    await ask('A query: throttled minutes by day', archive, ['sql', throttledByDay]);
  } else {
    say('');
    say('No query: DuckDB is not installed. Run npm install --no-save @duckdb/node-api for it.');
  }
  say('');
  lines.step(
    `Done. All of it is generated. Ask it yourself: npm run -s stripewise -- history --help; the page: ${page}`,
  );
}

endWithParent('demo:history');
await new Command('demo:history')
  .description(
    'Ask an archive of ten generated volumes and 90 days: trend, heat map, ends of months, a query.',
  )
  .option('--directory <path>', 'write the page in there (default: .demo)')
  .action(demo)
  .parseAsync()
  .catch((error: Error) => {
    console.error(`demo:history: ${error.message}`);
    process.exitCode = 1;
  });
