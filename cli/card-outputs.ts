/** The page and the picture of a report card, beside what is printed. */
import { type WholeFile, wholeFile } from '../adapters/files/whole-file.ts';
import type { CardReport } from '../core/report/card-report.ts';
import { plural, sanitize } from '../report/terminal/text.ts';
import type { Io } from './io.ts';
import {
  type Keep,
  OpenFiles,
  type OpenPicture,
  openPicture,
  type PictureFile,
  requireEachOnce,
  requireNoInput,
  writtenPage,
  writtenPicture,
} from './written-file.ts';

const maxTitleCharacters = 120;

export interface CardOptions {
  html?: string;
  chart?: PictureFile;
}

export class CardOutputs {
  private readonly files = new OpenFiles();
  private readonly page: WholeFile | null;
  private readonly picture: OpenPicture | null;

  /** @param inputs files that are read. @throws BadInput where one of them cannot be written. */
  constructor({ html, chart }: CardOptions, inputs: readonly string[] = []) {
    const paths = { '--html': html, '--chart': chart?.path };
    requireEachOnce(paths);
    requireNoInput(paths, inputs);
    this.page = this.files.open(html, (path) => wholeFile(path));
    this.picture = this.files.open(chart, openPicture);
  }

  /** All files stand under their names from here on; where one cannot be written, none does. */
  async keep(card: CardReport, io: Io): Promise<void> {
    const keeps: Keep[] = [];
    if (this.page !== null) {
      // Loaded when it is needed: the page has its own script within it.
      const { cardPage } = await import('../report/pages/card-page.ts');
      keeps.push(writtenPage(io, this.page, await cardPage(card), plural(card.grades.tests.length, 'test')));
    }
    if (this.picture !== null) keeps.push(await this.writtenPicture(this.picture, card, io));
    for (const keep of keeps) keep();
  }

  /** What is most telling: runs side by side, else how the first load scales, else how long its operations took. */
  private async writtenPicture(file: OpenPicture, { grades, label }: CardReport, io: Io): Promise<Keep> {
    const [{ runCharts, testCharts }, { light }] = await Promise.all([
      import('../report/charts/card-charts.ts'),
      import('../report/charts/palette.ts'),
    ]);
    const [chart] = [...runCharts(grades, light), ...grades.tests.flatMap((test) => testCharts(test, light))];
    if (chart !== undefined) {
      return writtenPicture(io, file, chart, {
        about: sanitize(chart.title, maxTitleCharacters),
        note: label,
      });
    }
    file.drop();
    io.err('stripewise: --chart: nothing that was measured can be drawn: no picture is written');
    return () => {};
  }

  /** Nothing is written, and what was there before stays. */
  drop(): void {
    this.files.drop();
  }
}
