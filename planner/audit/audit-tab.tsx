/** Files of the AWS CLI, or of an archive, audited here: nothing of them leaves the machine. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { Text } from '../../report/browser/shared/text.tsx';
import type { CatalogSource } from '../catalogs.ts';
import type { TabProps } from '../tab.ts';
import { AuditProgress } from './audit-progress.tsx';
import type { AuditState } from './audit-state.ts';
import { FilesDrop } from './files-drop.tsx';
import { FilesTable } from './files-table.tsx';
import { missingOf } from './given-files.ts';
import { MissingLines } from './missing-lines.tsx';
import { QueriesPart } from './queries-part.tsx';
import { ReportView } from './report-view.tsx';
import { AuditSession, type SessionState } from './session.ts';
import { WindowFields } from './window-fields.tsx';

const PrivacyPromise = () => (
  <div class="audit-promise">
    <p>
      <strong>Nothing leaves this machine.</strong> The files are read by this page, in this browser, and
      forgotten when it is closed. Nothing is stored.
    </p>
    <details>
      <summary>How to check that</summary>
      <ul>
        <li>
          Disconnect from the network, or switch the developer tools to "Offline": the audit works all the
          same.
        </li>
        <li>Watch the network view of the developer tools: it stays empty.</li>
        <li>
          Look at the first lines of this page's source: its policy has <code>default-src 'none'</code> and{' '}
          <code>connect-src 'none'</code>. With it the browser refuses any request of its script.
        </li>
      </ul>
    </details>
  </div>
);

/** A file that misses its place would replace the page. */
function useNoStrayDrops(): void {
  useEffect(() => {
    const refuse = (event: DragEvent): void => event.preventDefault();
    addEventListener('dragover', refuse);
    addEventListener('drop', refuse);
    return () => {
      removeEventListener('dragover', refuse);
      removeEventListener('drop', refuse);
    };
  }, []);
}

/** Prices that were given while an audit runs are of the next one. */
function useHasOlderPrices(catalogSources: readonly CatalogSource[], isRunning: boolean): boolean {
  const begunWith = useRef(catalogSources);
  if (!isRunning) begunWith.current = catalogSources;
  return begunWith.current !== catalogSources;
}

function useSession(): [AuditSession, SessionState] {
  const [session] = useState(() => new AuditSession());
  const [state, setState] = useState(session.state);
  useEffect(() => {
    const end = session.subscribe(setState);
    return () => {
      end();
      session.cancel();
    };
  }, [session]);
  return [session, state];
}

export function AuditTab({ catalogSources }: TabProps<AuditState>) {
  useNoStrayDrops();
  const [session, state] = useSession();
  const { files, archives, running, problem, queries, report } = state;
  const hasOlderPrices = useHasOlderPrices(catalogSources, running !== null);
  const kinds = files.flatMap(({ kind }) => kind ?? []);
  const bytes = files.reduce((total, { kind, file }) => total + (kind === null ? 0 : file.size), 0);
  const { missing, isReady } = missingOf(kinds, archives.length, bytes);
  const hasAny = files.length > 0 || archives.length > 0;
  if (report !== null)
    return (
      <ReportView
        report={report}
        onBack={() => session.change({ report: null })}
        onNew={() => session.removeAll()}
      />
    );
  return (
    <div class="audit-files">
      <PrivacyPromise />
      <FilesDrop
        isBusy={running !== null}
        onPaths={(paths) => void session.give(paths)}
        onTrouble={(error) => session.refuse(error)}
      />
      <div role="alert">
        {hasOlderPrices ? (
          <p>An audit is running with the prices from before: cancel it, or wait, then audit again.</p>
        ) : null}
        {problem === null ? null : (
          <p class="banner audit-problem">
            <Text value={problem} />
          </p>
        )}
      </div>
      {hasAny ? (
        <FilesTable state={state} isBusy={running !== null} onRemove={(id) => session.remove(id)} />
      ) : null}
      <MissingLines missing={missing} hasAny={hasAny} />
      {archives.length > 0 ? (
        <WindowFields
          lookbackDays={state.lookbackDays}
          onLookback={(lookbackDays) => session.change({ lookbackDays })}
          onUntil={(untilSeconds) => session.change({ untilSeconds })}
        />
      ) : null}
      {running === null ? (
        <p class="audit-actions no-print">
          <button
            type="button"
            class="button audit-start"
            disabled={!isReady}
            onClick={() => session.audit(catalogSources)}
          >
            Audit
          </button>
          {hasAny ? (
            <button type="button" class="button" onClick={() => session.removeAll()}>
              Remove all files
            </button>
          ) : null}
        </p>
      ) : (
        <AuditProgress running={running} onCancel={() => session.cancel()} />
      )}
      <QueriesPart
        hasVolumes={kinds.includes('volumes')}
        isBusy={running !== null}
        queries={queries}
        onMake={(lookbackDays, periodSeconds) => session.makeQueries(lookbackDays, periodSeconds)}
      />
    </div>
  );
}
