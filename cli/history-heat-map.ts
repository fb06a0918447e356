/** `stripewise history heat-map`: a volume's hours of the week, and its days. Needs no DuckDB. */
import { Command } from 'commander';
import { type WholeFile, wholeFile } from '../adapters/files/whole-file.ts';
import { heatMapOf } from '../core/archive/heat-map.ts';
import { type HeatMap, type HeatMapFigure, heatMapFigures } from '../core/schemas/history-heat-map.ts';
import { isoFromEpochSeconds } from '../core/units.ts';
import { heatMapText } from '../report/terminal/history-heat-map.ts';
import { ofArchive } from './history-archive.ts';
import { type Ended, exitCodesHelp, type HistoryOptions, print } from './history-print.ts';
import { readVolume } from './history-volume.ts';
import type { Io } from './io.ts';
import { oneOf } from './options.ts';
import {
  type Keep,
  OpenFiles,
  type OpenPicture,
  openPicture,
  orDropped,
  type PictureFile,
  pictureOption,
  requireEachOnce,
  writtenPage,
  writtenPicture,
} from './written-file.ts';

interface Options extends HistoryOptions {
  by: HeatMapFigure;
  html?: string;
  chart?: PictureFile;
  note?: string;
}

async function written(
  { page, picture }: { page: WholeFile | null; picture: OpenPicture | null },
  map: HeatMap,
  note: string | null,
  io: Io,
): Promise<void> {
  const keeps: Keep[] = [];
  const about = `${map.days.length} days`;
  if (page !== null) {
    // Loaded when it is needed: what draws is larger than all the rest.
    const { heatMapPage } = await import('../report/pages/heat-map-page.ts');
    keeps.push(writtenPage(io, page, heatMapPage(map, note), about));
  }
  if (picture !== null) {
    const [{ heatMapChart }, { light }] = await Promise.all([
      import('../report/charts/heat-map.ts'),
      import('../report/charts/palette.ts'),
    ]);
    keeps.push(await writtenPicture(io, picture, heatMapChart(map, light), { about, note }));
  }
  for (const keep of keeps) keep();
}

async function mapOf(options: Options, id: string): Promise<HeatMap> {
  const { volumeId, target, minutes, window, unreadFiles } = await readVolume(options, id);
  return {
    volumeId,
    ...target,
    window: { start: isoFromEpochSeconds(window.from), end: isoFromEpochSeconds(window.end) },
    ...heatMapOf(minutes, options.by),
    unreadFiles,
  };
}

export const heatMapCommand = (io: Io, end: Ended): Command =>
  ofArchive(new Command('heat-map'))
    .description('The hours of a week and the days of a year of a volume: when it is busy.')
    .argument('<id>', 'of the volume')
    .option('--by <figure>', heatMapFigures.join(', '), oneOf('--by', heatMapFigures), 'iops')
    .option('--html <file>', 'write a page with both maps and their figures')
    .option(
      '--chart <file>',
      'write both maps as a picture: a path that ends in .svg or .png',
      pictureOption('--chart'),
    )
    .option('--note <text>', 'stands on the page and on the picture')
    .option('--json', 'one JSON document on standard output')
    .addHelpText(
      'after',
      `
An hour with less than half of its points is unknown, never zero. Throttled minutes are those that evaluation wrote;
a minute counts as exceeded where a check reports it: a check alone is no truth of throttling.
Needs no DuckDB.
${exitCodesHelp}
Examples:
  stripewise history heat-map vol-0123456789abcdef0 --archive minutes
  stripewise history heat-map vol-0123456789abcdef0 --archive minutes --by throttled --html year.html`,
    )
    .action(async (id: string, options: Options) => {
      const { html, chart, note = null, json } = options;
      requireEachOnce({ '--html': html, '--chart': chart?.path });
      const files = new OpenFiles();
      const page = files.open(html, (path) => wholeFile(path));
      const picture = files.open(chart, openPicture);
      const map = await orDropped(files, async () => {
        const found = await mapOf(options, id);
        await written({ page, picture }, found, note, io);
        return found;
      });
      print(map, (answer) => heatMapText(answer, io.columns), json, io, end);
    });
