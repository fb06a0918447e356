/** Results of fio become a report card, here in the page. */
import { useMemo, useState } from 'preact/hooks';
import { maxUsers } from '../../core/report-card/fio-result.ts';
import { accesses } from '../../core/report-card/job-options.ts';
import { CardContents, CardSections } from '../../report/browser/card/card.tsx';
import { count } from '../../report/browser/shared/format.ts';
import { Text } from '../../report/browser/shared/text.tsx';
import { accessWords } from '../../report/wording/report-card.ts';
import { FileDrop } from '../file-drop.tsx';
import { CheckField, ChoiceField, OptionalNumberField, Questions } from '../form.tsx';
import { ProblemLines } from '../problem-lines.tsx';
import type { TabProps } from '../tab.ts';
import {
  cardOf,
  type GivenText,
  isLog,
  maxFileMiB,
  maxTogetherMiB,
  readAll,
  resultsOf,
  withTexts,
} from './grade-files.ts';
import { type GradeState, leastMonthlyUsd, maxMonthlyUsd } from './grade-state.ts';

function Said({ state, change }: Pick<TabProps<GradeState>, 'state' | 'change'>) {
  const { areRepeats, access, users, monthlyUsd } = state;
  return (
    <Questions name="What the files do not say">
      <CheckField
        label="They are repeats of one benchmark"
        isChecked={areRepeats === 'yes'}
        hint="Their mean, and how sure it is, instead of side by side."
        onChange={(is) => change({ areRepeats: is ? 'yes' : 'no' })}
      />
      <OptionalNumberField
        label="Cost of the volumes"
        unit="USD a month"
        value={monthlyUsd}
        min={leastMonthlyUsd}
        max={maxMonthlyUsd}
        step={0}
        hint="For USD per 1,000 IOPS."
        onChange={(usd) => change({ monthlyUsd: usd })}
      />
      <ChoiceField
        label="Access"
        value={access}
        choices={[
          { value: 'as-in-file', text: 'as the file says' },
          ...accesses.map((value) => ({ value, text: accessWords[value] })),
        ]}
        hint="Used where a file does not say it: fio before 2.9."
        onChange={(chosen) => change({ access: chosen })}
      />
      <OptionalNumberField
        label="Users"
        value={users}
        min={1}
        max={maxUsers}
        hint="Used where a file does not say it."
        onChange={(chosen) => change({ users: chosen })}
      />
    </Questions>
  );
}

interface Read {
  texts: readonly GivenText[];
  /** When the last were read. */
  madeAt: string;
  problems: readonly string[];
}

const nothing: Read = { texts: [], madeAt: '', problems: [] };

export function GradeTab({ state, change }: TabProps<GradeState>) {
  const [{ texts, madeAt, problems }, setRead] = useState<Read>(nothing);
  const [isHidden, setHidden] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { results, problems: ofFiles } = useMemo(() => resultsOf(texts), [texts]);
  const graded = useMemo(
    () => (results.length === 0 ? null : cardOf(results, state, madeAt)),
    [results, state, madeAt],
  );
  const take = async (picked: readonly File[]): Promise<void> => {
    setBusy(true);
    const read = await readAll(picked, texts);
    setRead((before) => ({
      texts: withTexts(before.texts, read.texts),
      madeAt: new Date().toISOString(),
      problems: read.problems,
    }));
    setHidden(false);
    setBusy(false);
  };
  const misfit = graded?.misfit ?? null;
  const lines = [...problems, ...ofFiles, ...(misfit === null ? [] : [misfit])];
  const logs = texts.filter(isLog).length;
  return (
    <>
      <p class="lead">
        Letters for latency and how it grows with more users, and why. The files are read here, and nothing is
        sent.
      </p>
      <FileDrop
        label="Choose results of fio"
        hint={`Drop or choose the JSON of fio 2 or 3 (fio --output-format=json+), and the logs that it wrote beside it, all at once. Up to ${maxFileMiB} MiB each, ${maxTogetherMiB} MiB together.`}
        accept=".json,.log,.txt,.out,application/json,text/plain"
        isBusy={isBusy}
        onFiles={(picked) => void take(picked)}
      />
      <ProblemLines lines={isHidden ? [] : lines} onHide={() => setHidden(true)} />
      {texts.length === 0 ? null : (
        <p class="given">
          <span role="status">
            {count(results.length, 'result')}
            {logs === 0 ? '' : ` and ${count(logs, 'log')}`} read.
          </span>{' '}
          <button type="button" class="button tall no-print" onClick={() => setRead(nothing)}>
            Remove all files
          </button>
        </p>
      )}
      <Said state={state} change={change} />
      {graded === null ? null : (
        <div class="card-page">
          <h2 class="card-title">
            <Text value={graded.card.title} most={200} />
          </h2>
          <CardContents card={graded.card} />
          <CardSections card={graded.card} />
        </div>
      )}
    </>
  );
}
