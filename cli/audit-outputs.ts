/** What `audit` writes beside its answer: the minutes, the page, a picture. */
import { type MinutesFile, minutesFile } from '../adapters/files/minutes-csv.ts';
import { type WholeFile, wholeFile } from '../adapters/files/whole-file.ts';
import type { OnDiagnosed } from '../core/audit/observed.ts';
import type { SelectedResources } from '../core/audit/selected-resources.ts';
import { BadInput } from '../core/errors.ts';
import { known } from '../core/known.ts';
import { auditReport, type PackedSeries } from '../core/report/audit-report.ts';
import { changesOf, compareRuns } from '../core/report/compare-runs.ts';
import { keepSeries } from '../core/report/series-keeper.ts';
import type { AuditResult } from '../core/schemas/audit-result.ts';
import { packedSeries, unpackedSeries } from '../report/pages/pack.ts';
import { plural, sanitize } from '../report/terminal/text.ts';
import type { Listeners } from './audit-files.ts';
import { type ComparedWith, comparedFiles } from './audit-opinions.ts';
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

export interface OutputOptions {
  minutes?: string;
  html?: string;
  /** An earlier run, for the page, or what other services recommend. */
  compareWith?: string[];
  chart?: PictureFile;
  recorded?: string;
  /** Other files that are read. */
  volumes?: string[];
  metrics?: string[];
  instances?: string[];
  hosts?: string[];
  modifications?: string[];
  prices?: string[];
  config?: string;
}

/** @throws BadInput where it has no page to stand in. */
function requirePage({ html }: OutputOptions, selected: SelectedResources | null): void {
  if (html === undefined)
    throw new BadInput(
      '--compare-with with an earlier audit is for the page: give --html too, or use `stripewise compare`',
    );
  if (selected !== null)
    throw new BadInput(
      '--compare-with compares whole audits: leave out --resource, or --compare-with with the earlier audit',
    );
}

export class AuditOutputs {
  private readonly options: OutputOptions;
  private readonly selected: SelectedResources | null;
  readonly compared: ComparedWith;
  private readonly earlier: AuditResult | null;
  private readonly files = new OpenFiles();
  private readonly minutes: MinutesFile | null;
  private readonly page: WholeFile | null;
  private readonly picture: OpenPicture | null;
  /** Packed at once, so that memory stays small; by the resource. */
  private readonly series = new Map<string, PackedSeries>();

  /**
   * @param selected what is evaluated; null: everything.
   * @param compared reads what is compared with, once no output is one of its files.
   * @throws BadInput where one of them cannot be written, or the earlier run cannot be read.
   */
  constructor(options: OutputOptions, selected: SelectedResources | null, compared: () => ComparedWith) {
    const { minutes, html, chart } = options;
    const paths = { '--minutes': minutes, '--html': html, '--chart': chart?.path };
    requireEachOnce(paths);
    const { recorded, volumes = [], metrics = [], instances = [], hosts = [], config, compareWith } = options;
    const { modifications = [], prices = [] } = options;
    const files = [...comparedFiles(compareWith), ...volumes, ...metrics, ...instances, ...hosts];
    requireNoInput(paths, [recorded, config, ...files, ...modifications, ...prices]);
    this.options = options;
    this.selected = selected;
    this.compared = compared();
    this.earlier = this.compared.earlier;
    if (this.earlier !== null) requirePage(options, selected);
    this.minutes = this.files.open(minutes, minutesFile);
    this.page = this.files.open(html, (path) => wholeFile(path));
    this.picture = this.files.open(chart, openPicture);
  }

  listeners(onDiagnosed: OnDiagnosed): Listeners {
    const { minutes } = this;
    const notified: OnDiagnosed =
      minutes === null
        ? onDiagnosed
        : (diagnosed, metrics) => {
            minutes.add(diagnosed);
            onDiagnosed(diagnosed, metrics);
          };
    if (this.page === null && this.picture === null) return { onDiagnosed: notified };
    const keep = keepSeries(
      (series) => this.series.set(series.resourceId, packedSeries(series)),
      () => {
        const named = this.picture === null ? null : this.namedResource();
        return named === null ? [] : [named];
      },
    );
    return { onDiagnosed: notified, onEvaluated: keep };
  }

  /** All files stand under their names from here on; where one cannot be written, none does. */
  async keep(result: AuditResult, io: Io): Promise<void> {
    const { minutes, page, picture } = this;
    const keeps: Keep[] = minutes === null ? [] : [() => minutes.keep()];
    if (page !== null) keeps.push(await this.writtenPage(page, result, io));
    if (picture !== null) keeps.push(await this.writtenPicture(picture, result, io));
    for (const keep of keeps) keep();
  }

  /** Nothing is written, and what was there before stays. */
  drop(): void {
    this.files.drop();
  }

  /** The one resource that is asked for, as far as is known by now; null: several, or everything. */
  private namedResource(): string | null {
    const [first, ...more] = this.selected?.ids ?? [];
    return first === undefined || more.length > 0 ? null : first;
  }

  /** What is to be known first. */
  private get label(): string | null {
    return this.options.recorded === undefined
      ? null
      : 'recorded series, evaluated on volumes as they were described';
  }

  private async writtenPage(file: WholeFile, result: AuditResult, io: Io): Promise<Keep> {
    const report = auditReport(result, [...this.series.values()], {
      madeAt: io.now().toISOString(),
      label: this.label,
      comparison: this.earlier === null ? null : known(changesOf(compareRuns(this.earlier, result))),
    });
    // Loaded when it is needed: the page has its own script within it.
    const { auditPage } = await import('../report/pages/audit-page.ts');
    return writtenPage(io, file, await auditPage(report), plural(result.findings.length, 'finding'));
  }

  private async writtenPicture(file: OpenPicture, { findings }: AuditResult, io: Io): Promise<Keep> {
    const named = this.namedResource();
    const ids = named === null ? findings.map(({ resource }) => resource.id) : [named];
    const packed = ids.flatMap((id) => this.series.get(id) ?? [])[0];
    if (packed === undefined) {
      file.drop();
      io.err(`stripewise: --chart: ${this.whyNoPicture(named)}: no picture is written`);
      return () => {};
    }
    const [{ loadChart }, { light }] = await Promise.all([
      import('../report/charts/load-chart.ts'),
      import('../report/charts/palette.ts'),
    ]);
    const { resourceId } = packed;
    const finding = findings.find(({ resource }) => resource.id === resourceId);
    const chart = loadChart(unpackedSeries(packed), {
      ...{ which: 'whole', findingId: finding?.id ?? null, palette: light },
    });
    return writtenPicture(io, file, chart, { about: `load of ${sanitize(resourceId)}`, note: this.label });
  }

  private whyNoPicture(named: string | null): string {
    return named === null
      ? 'nothing was found that has a load to draw (with --resource ID also the load of a healthy volume is drawn)'
      : `of ${sanitize(named)} no load was read, or those of its volumes do not add up`;
  }
}
