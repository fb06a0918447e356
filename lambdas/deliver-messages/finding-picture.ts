/** The load of a finding as a picture, from the page of the run that saw it. */
import { runKeys } from '../../core/audit/run-keys.ts';
import type { Notification } from '../../core/schemas/notification.ts';
import { loadChart } from '../../report/charts/load-chart.ts';
import { light } from '../../report/charts/palette.ts';
import { chartPng, chartSvg } from '../../report/charts/picture.ts';
import { seriesInPage } from '../../report/pages/series-in-page.ts';
import type { Picture } from './bot-posts.ts';

const widthPixels = 1_000;

/** @param readPage null where it is not there. @param label below the title. @returns null where there is nothing to draw. */
export async function findingPicture(
  { run, notified }: Notification,
  findingId: string,
  { readPage, label }: { readPage: (key: string) => Promise<string | null>; label: string | null },
): Promise<Picture | null> {
  const finding = notified.find(({ id }) => id === findingId);
  if (run === null || finding === undefined) return null;
  const html = await readPage(runKeys(run.runId).report);
  const resourceId = finding.resource.id;
  const [series] = html === null ? [] : seriesInPage(html, resourceId);
  if (series === undefined) return null;
  const which = series.closeUp === null ? 'whole' : 'closeUp';
  const chart = loadChart(series, { which, findingId, palette: light });
  return {
    png: await chartPng(chartSvg(chart, { widthPixels, note: label })),
    ...{ fileName: `${findingId}.png`, title: chart.title, altText: chart.description },
  };
}
