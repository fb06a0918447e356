/** The page of a report card. */
import { useEffect } from 'preact/hooks';
import type { CardReport } from '../../../core/report/card-report.ts';
import { reportNoteText } from '../../wording/campaign.ts';
import { gradeNoteText } from '../../wording/report-card.ts';
import { utc } from '../shared/format.ts';
import { Text } from '../shared/text.tsx';
import { PrintButton, ThemeSwitch } from '../shared/theme.tsx';
import { AtAGlance } from './at-a-glance.tsx';
import { CampaignSection } from './campaign.tsx';
import { RepeatsTable } from './repeats-table.tsx';
import { ScalingCharts, SideBySideChart } from './run-charts.tsx';
import { ScaleTables } from './scale-tables.tsx';
import { Section } from './section.tsx';
import { sectionsOf } from './sections.ts';
import { SideBySideTable } from './side-by-side-table.tsx';
import { TestSection } from './test-section.tsx';

const Header = ({ card: { title, madeAt, label } }: { card: CardReport }) => (
  <header>
    <div class="page-header">
      <div>
        <h1>
          <Text value={title} most={200} />
        </h1>
        <p class="faint">Report card, made {utc(madeAt)}</p>
      </div>
      <div class="page-tools">
        <ThemeSwitch />
        <PrintButton />
      </div>
    </div>
    {label === null ? null : (
      <p class="banner" role="note">
        <Text value={label} most={200} />
      </p>
    )}
  </header>
);

export const CardContents = ({ card }: { card: CardReport }) => (
  <nav class="contents no-print" aria-label="Contents">
    <ul>
      {sectionsOf(card).map(({ id, title }) => (
        <li key={id}>
          <a href={`#${id}`}>{title}</a>
        </li>
      ))}
    </ul>
  </nav>
);

const Notes = ({ notes }: { notes: readonly string[] }) => (
  <ul>
    {notes.map((note, index) => (
      <li key={index}>
        <Text value={note} />
      </li>
    ))}
  </ul>
);

/** The place that the address names is there only after the page was made: the browser goes there again. */
function useDeepLink(): void {
  useEffect(() => {
    const { hash, href } = location;
    if (hash.length < 2 || document.getElementById(hash.slice(1)) === null) return;
    location.replace(href);
  }, []);
}

/** What a card has, without its page. */
export function CardSections({ card }: { card: CardReport }) {
  const { grades, campaign } = card;
  const { tests, curves, comparison, repeats } = grades;
  const notes = [...grades.notes.map(gradeNoteText), ...(campaign?.notes ?? []).map(reportNoteText)];
  return (
    <>
      <Section id="grades" title="Grades at a glance">
        <AtAGlance tests={tests} />
      </Section>
      {campaign === null ? null : <CampaignSection campaign={campaign} />}
      {comparison.length === 0 ? null : (
        <Section id="side-by-side" title="Side by side">
          <SideBySideChart comparison={comparison} />
          <SideBySideTable grades={grades} />
        </Section>
      )}
      {curves.length === 0 ? null : (
        <Section id="scaling" title="Scaling: what more users bring">
          <ScalingCharts curves={curves} />
        </Section>
      )}
      {repeats.length === 0 ? null : (
        <Section id="repeats" title="Repeats">
          <RepeatsTable repeats={repeats} />
        </Section>
      )}
      {tests.length === 0 ? null : (
        <Section id="tests" title="Tests">
          {tests.map((test, index) => (
            <TestSection key={index} test={test} number={index + 1} />
          ))}
        </Section>
      )}
      {notes.length === 0 ? null : (
        <Section id="notes" title="Notes">
          <Notes notes={notes} />
        </Section>
      )}
      <Section id="scale" title="What a letter means">
        <ScaleTables />
      </Section>
    </>
  );
}

export function Card({ card }: { card: CardReport }) {
  useDeepLink();
  return (
    <div class="page card-page">
      <Header card={card} />
      <CardContents card={card} />
      <main>
        <CardSections card={card} />
      </main>
    </div>
  );
}
