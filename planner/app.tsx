/** The planner: four questions, each a tab; what is asked stands in the address. */
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { rankingRegion } from '../core/prices/prices.ts';
import { CopyButton } from '../report/browser/shared/copy-button.tsx';
import { PrintButton, ThemeSwitch } from '../report/browser/shared/theme.tsx';
import { type AuditState, auditFields } from './audit/audit-state.ts';
import { AuditTab } from './audit/audit-tab.tsx';
import { isOfReport, isOnPage } from './audit/report-host.ts';
import { type BurstState, burstFields } from './burst/burst-state.ts';
import { BurstTab } from './burst/burst-tab.tsx';
import { catalogsOf, type PricesFile } from './catalogs.ts';
import {
  type Address,
  addressOf,
  type Fields,
  hashOf,
  readState,
  type TabName,
  tabNames,
  unknownTab,
  usualState,
  writeState,
} from './fragment.ts';
import { type GradeState, gradeFields } from './grade/grade-state.ts';
import { GradeTab } from './grade/grade-tab.tsx';
import { type PlanState, planFields } from './plan/plan-state.ts';
import { PlanTab } from './plan/plan-tab.tsx';
import { PricesPanel } from './prices-panel.tsx';
import { ProblemLines } from './problem-lines.tsx';
import type { TabProps } from './tab.ts';
import { TabBoundary } from './tab-boundary.tsx';
import { linkTo, useAddress } from './use-address.ts';

interface TabTexts {
  name: string;
  question: string;
}

const tabTexts: Record<TabName, TabTexts> = {
  plan: { name: 'Plan', question: 'Which volumes for this load?' },
  burst: { name: 'Burst', question: 'How long do the credits last?' },
  audit: { name: 'Audit', question: 'What is wrong with these volumes?' },
  grade: { name: 'Grade', question: 'How good is what fio measured?' },
};

/** What is asked in each tab. */
interface States {
  plan: PlanState;
  burst: BurstState;
  audit: AuditState;
  grade: GradeState;
}

const fieldsOf: { [Tab in TabName]: Fields<States[Tab]> } = {
  plan: planFields,
  burst: burstFields,
  audit: auditFields,
  grade: gradeFields,
};

interface Shown {
  tab: TabName;
  states: States;
  problems: readonly string[];
}

function shownOf({ tab, params, problems }: Address): Shown {
  const [plan, burst] = [readState('plan', planFields, params), readState('burst', burstFields, params)];
  const [audit, grade] = [readState('audit', auditFields, params), readState('grade', gradeFields, params)];
  return {
    tab,
    states: { plan: plan.state, burst: burst.state, audit: audit.state, grade: grade.state },
    problems: [...problems, ...[plan, burst, audit, grade].flatMap((one) => one.problems)],
  };
}

function paramsOf({ plan, burst, audit, grade }: States): URLSearchParams {
  const params = new URLSearchParams();
  writeState('plan', planFields, plan, params);
  writeState('burst', burstFields, burst, params);
  writeState('audit', auditFields, audit, params);
  writeState('grade', gradeFields, grade, params);
  return params;
}

/** Of the tab that is shown, where it has one. */
function regionOf(states: States, tab: TabName): string {
  const state: object = states[tab];
  return 'region' in state && typeof state.region === 'string' ? state.region : rankingRegion;
}

function Tabs({ tab, params }: { tab: TabName; params: URLSearchParams }) {
  return (
    <nav class="tabs no-print" aria-label="Questions">
      <ul>
        {tabNames.map((name) => (
          <li key={name}>
            <a href={`#${hashOf(name, params)}`} aria-current={name === tab ? 'page' : undefined}>
              <b>{tabTexts[name].name}</b>
              <span class="tab-question">{tabTexts[name].question}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface TabGroundProps {
  name: TabName;
  tab: TabName;
  /** It stays as it is while another tab is shown: what was read from files is kept. */
  isKept: boolean;
  onReset: () => void;
  children: ComponentChildren;
}

function TabGround({ name, tab, isKept, onReset, children }: TabGroundProps) {
  const isShown = name === tab;
  const [wasShown, setWasShown] = useState(isShown);
  useEffect(() => {
    if (isShown) setWasShown(true);
  }, [isShown]);
  if (!isShown && !(isKept && wasShown)) return null;
  const { name: title, question } = tabTexts[name];
  return (
    <section hidden={!isShown} aria-label={`${title}: ${question}`}>
      <h2 class="question">{question}</h2>
      <TabBoundary name={title} onReset={onReset}>
        {children}
      </TabBoundary>
    </section>
  );
}

const Footer = () => (
  <footer class="planner-foot">
    <p>
      <strong>Nothing leaves this machine.</strong> This page makes no request. Its own policy (
      <code>default-src 'none'; connect-src 'none'</code>) makes the browser refuse any. It works offline: the
      network view of the developer tools stays empty.
    </p>
    <p>
      What you type stands in the address, after the #, which browsers do not send. Files are read in this
      page alone, and forgotten with it.
    </p>
  </footer>
);

export function App() {
  const [files, setFiles] = useState<readonly PricesFile[]>([]);
  const catalogs = useMemo(() => catalogsOf(files), [files]);
  const [shown, setShown] = useState<Shown>(() =>
    shownOf(addressOf(location.hash) ?? unknownTab(location.hash)),
  );
  const { tab, states, problems } = shown;
  const params = useMemo(() => paramsOf(states), [states]);
  const hash = hashOf(tab, params);
  useAddress(hash, (went) => {
    const address = addressOf(went);
    if (address !== null) setShown(shownOf(address));
    else if (isOfReport(went)) setShown((before) => ({ ...before, tab: 'audit' }));
    else {
      // Of what is asked nothing changes; an older line would be read as if it were of this link.
      if (!isOnPage(went)) setShown((before) => ({ ...before, problems: unknownTab(went).problems }));
      return false;
    }
    return true;
  });
  useEffect(() => {
    document.title = `${tabTexts[tab].name} - stripewise planner`;
  }, [tab]);
  const { regionCatalogs, regions, sources: catalogSources } = catalogs;

  /** @returns what the tab is given. */
  function propsOf<Tab extends TabName>(name: Tab): TabProps<States[Tab]> {
    const change = (part: Partial<States[Tab]>): void =>
      setShown((before) => ({
        ...before,
        states: { ...before.states, [name]: { ...before.states[name], ...part } },
      }));
    return { state: states[name], change, regionCatalogs, catalogSources, regions };
  }
  const groundOf = <Tab extends TabName>(name: Tab) => ({
    ...{ name, tab },
    onReset: () => propsOf(name).change(usualState(fieldsOf[name])),
  });

  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <div class="page">
        <header>
          <div class="planner-bar">
            <span class="planner-brand">stripewise</span>
            <div class="planner-controls no-print">
              <CopyButton
                text={linkTo(hash)}
                label="Copy link"
                what="link to what this page shows"
                target={() => null}
              />
              <ThemeSwitch />
              <PrintButton />
            </div>
          </div>
          <h1>Planner for EBS volumes</h1>
          <p class="lead">Nothing leaves this machine: this page makes no request, and works offline.</p>
          <PricesPanel catalogs={catalogs} region={regionOf(states, tab)} onFiles={setFiles} />
          <Tabs tab={tab} params={params} />
        </header>
        <main id="content" tabIndex={-1}>
          <ProblemLines lines={problems} onHide={() => setShown((before) => ({ ...before, problems: [] }))} />
          <TabGround {...groundOf('plan')} isKept={false}>
            <PlanTab {...propsOf('plan')} />
          </TabGround>
          <TabGround {...groundOf('burst')} isKept={false}>
            <BurstTab {...propsOf('burst')} />
          </TabGround>
          <TabGround {...groundOf('audit')} isKept>
            <AuditTab {...propsOf('audit')} />
          </TabGround>
          <TabGround {...groundOf('grade')} isKept>
            <GradeTab {...propsOf('grade')} />
          </TabGround>
        </main>
        <Footer />
      </div>
    </>
  );
}
