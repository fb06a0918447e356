/**
 * Colors of charts, on light and on dark ground. The hues are those of Okabe and Ito, distinguished by color-blind people too, and
 * made darker or brighter until lines have a contrast of 3 : 1 and texts of 4.5 : 1. Nothing is reported by color alone.
 */
import type { Cause } from '../../core/diagnosis/causes.ts';
import type { VolumeEvaluation } from '../../core/schemas/audit-result.ts';

export interface Palette {
  background: string;
  /** Text, and the load itself. */
  ink: string;
  /** Text that explains. */
  faint: string;
  /** Lines of the ground, which nobody has to see. */
  grid: string;
  /** Of the load from its least to its most. */
  band: string;
  limit: string;
  recommended: string;
  /** Behind a label that stands on a line. */
  veil: string;
  /** One after another, for what is drawn side by side. */
  series: readonly string[];
  cause: Readonly<Record<Cause, string>>;
  status: Readonly<Record<VolumeEvaluation['status'], string>>;
}

export const light: Palette = {
  background: '#ffffff',
  ink: '#1d2733',
  faint: '#566270',
  grid: '#e3e7ec',
  band: 'rgba(52, 73, 102, 0.24)',
  limit: '#b34700',
  recommended: '#00755a',
  veil: 'rgba(255, 255, 255, 0.82)',
  series: ['#0072b2', '#c25400', '#00805f', '#a8457d', '#8a6d00', '#3f7fae', '#5b5b5b', '#6a4fa3'],
  cause: {
    none: '#566270',
    'volume-iops': '#d05a00',
    'volume-throughput': '#a87400',
    'volume-credits': '#857800',
    'instance-iops': '#0072b2',
    'instance-throughput': '#2f8dc4',
    'instance-credits': '#6a4fa3',
    stalled: '#b0417f',
    unknown: '#75808c',
  },
  status: {
    finding: '#c25400',
    'throttled-by-instance': '#0072b2',
    healthy: '#00805f',
    unknown: '#75808c',
  },
};

export const dark: Palette = {
  background: '#12171d',
  ink: '#e8edf2',
  faint: '#a3afbb',
  grid: '#2b333d',
  band: 'rgba(168, 190, 217, 0.30)',
  limit: '#ff9a5c',
  recommended: '#2fcf9f',
  veil: 'rgba(18, 23, 29, 0.82)',
  series: ['#56b4e9', '#f08c3a', '#2fcf9f', '#df8fc0', '#d9c63f', '#8ab8d8', '#b5bdc6', '#b39ddb'],
  cause: {
    none: '#a3afbb',
    'volume-iops': '#f5813a',
    'volume-throughput': '#e6a91f',
    'volume-credits': '#d9cf4a',
    'instance-iops': '#3f9fe0',
    'instance-throughput': '#7cc8f2',
    'instance-credits': '#a98be0',
    stalled: '#e283b8',
    unknown: '#8b97a3',
  },
  status: {
    finding: '#f5813a',
    'throttled-by-instance': '#56b4e9',
    healthy: '#2fcf9f',
    unknown: '#8b97a3',
  },
};
