/** One script, in a page and in a worker that the page starts of it: the planner, a report that it saved, an audit of files. */
import './no-eval.ts';
import { render } from 'preact';
import type { AuditReport } from '../core/report/audit-report.ts';
import { AuditPage } from '../report/browser/audit/audit-page.tsx';
import { mount } from '../report/browser/shared/mount.tsx';
import { ThemeProvider } from '../report/browser/shared/theme.tsx';
import '../report/browser/shared/base.css';
import '../report/browser/shared/tables.css';
import '../report/browser/card/card.css';
import '../report/browser/audit/page.css';
import '../report/browser/audit/finding.css';
import './planner.css';
import './audit/audit.css';
import { App } from './app.tsx';
import { startWorker } from './audit/worker.ts';

/** Of a saved report: the same page, with its data in it. */
const isReport = (): boolean => document.getElementById('data') !== null;

function startPage(): void {
  if (isReport()) {
    void mount<AuditReport>((report) => <AuditPage report={report} />);
    return;
  }
  const root = document.getElementById('page');
  if (root !== null)
    render(
      <ThemeProvider>
        <App />
      </ThemeProvider>,
      root,
    );
}

if (typeof document === 'undefined') startWorker();
else startPage();
