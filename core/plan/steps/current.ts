/** What stands today, as far as the steps depend on it. */
import type { Layout } from '../layout.ts';

export interface Current {
  layout: Layout;
  /** In the order of the members; where one is missing, a placeholder stands in its place. */
  volumeIds: readonly string[];
  /** What joins several volumes. Left out, it is unknown, and a stripe is not grown where it stands. */
  builtWith?: 'lvm' | 'mdadm' | undefined;
}
