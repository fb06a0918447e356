/** A chart as every form of it needs it: drawn in a page, as a picture, read as a table. */
import type { EChartsOption } from 'echarts';

/** narrow: a phone; its labels then take two lines, or less beside them. */
export type ChartWidth = 'wide' | 'narrow';

export interface ChartTable {
  /** With units. */
  head: string[];
  /** Null: not known. */
  rows: (string | number | null)[][];
}

export interface Chart {
  title: string;
  /** What it shows, in a sentence, for who does not see it. */
  description: string;
  heightPixels: number;
  option: EChartsOption;
  /** The figures that it draws. */
  table: () => ChartTable;
}
