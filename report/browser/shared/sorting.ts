/** The order of a table's rows. */

export interface Sorting {
  columnId: string;
  descending: boolean;
}

const collator = new Intl.Collator('en', { numeric: true });

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b));
}

/** Equal rows keep their order; what is not known stands last in either direction. */
export function sorted<Row>(
  rows: readonly Row[],
  by: (row: Row) => string | number | null,
  descending: boolean,
): Row[] {
  const keyed = rows.map((row) => ({ row, key: by(row) }));
  const sign = descending ? -1 : 1;
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
    return sign * compare(a.key, b.key);
  });
  return keyed.map(({ row }) => row);
}
