/** A volume's year as one file: two heat maps, what they show in a sentence, and their figures. */

import type { HeatMap } from '../../core/schemas/history-heat-map.ts';
import { utcText } from '../../core/units.ts';
import { heatMapChart } from '../charts/heat-map.ts';
import { light } from '../charts/palette.ts';
import { chartSvg } from '../charts/picture.ts';
import {
  daysTitle,
  heatMapSentence,
  heatMapUnit,
  hourText,
  weekdayWords,
  weekTitle,
} from '../wording/history-heat-map.ts';
import { stillPage } from './still-page.ts';

const widthPixels = 1_000;

/** @param note such as: generated; null without. */
export function heatMapPage(map: HeatMap, note: string | null): string {
  const { volumeId, account, region, window, week } = map;
  const chart = heatMapChart(map, light);
  const description = heatMapSentence(map);
  return stillPage({
    title: `${volumeId}: ${heatMapUnit(map.figure)} - stripewise`,
    lines: [
      ...(note === null ? [] : [note]),
      `Account ${account}, ${region}, ${[window.start, window.end].map((time) => utcText(Date.parse(time) / 1_000)).join(' to ')} UTC.`,
      description,
      'Hatched and - are not known: they are no zero.',
    ],
    pictures: [{ svg: chartSvg(chart, { widthPixels, note }), description }],
    tables: [
      {
        title: weekTitle(map),
        head: ['UTC', ...(week[0] ?? []).map((_, hour) => hourText(hour))],
        rows: week.map((hours, weekday) => [weekdayWords[weekday] ?? '', ...hours]),
      },
      { title: daysTitle(map), ...chart.table() },
    ],
  });
}
