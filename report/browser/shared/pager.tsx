/** Which rows of a table are shown, and the way to the others. */
import { figure } from '../../../core/figures.ts';

interface PagerProps {
  rows: number;
  pageRows: number;
  page: number;
  what: string;
  onPage: (page: number) => void;
}

export function Pager({ rows, pageRows, page, what, onPage }: PagerProps) {
  const last = Math.ceil(rows / pageRows) - 1;
  if (last <= 0) return null;
  const from = page * pageRows + 1;
  const to = Math.min(rows, from + pageRows - 1);
  return (
    <nav class="pager no-print" aria-label={`Pages of: ${what}`}>
      <button type="button" class="button" disabled={page === 0} onClick={() => onPage(0)}>
        First
      </button>
      <button type="button" class="button" disabled={page === 0} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span role="status">
        Rows {figure(from)} to {figure(to)} of {figure(rows)}
      </span>
      <button type="button" class="button" disabled={page === last} onClick={() => onPage(page + 1)}>
        Next
      </button>
      <button type="button" class="button" disabled={page === last} onClick={() => onPage(last)}>
        Last
      </button>
    </nav>
  );
}
