/** Which prices and instance types are used, of which day and from where; and files of others. */
import { useState } from 'preact/hooks';
import { BadInput } from '../core/errors.ts';
import { fewOf } from '../core/few.ts';
import { sanitize } from '../core/sanitize.ts';
import { usePrinting } from '../report/browser/shared/printing.ts';
import { Text } from '../report/browser/shared/text.tsx';
import { noticeText } from '../report/wording/audit-notices.ts';
import { priceSourceText } from '../report/wording/catalog.ts';
import { type Catalogs, maxPricesMiB, type PricesFile, readPricesFile, withFile } from './catalogs.ts';
import { FileDrop } from './file-drop.tsx';
import { lineOf, readPicked } from './picked-file.ts';
import { ProblemLines } from './problem-lines.tsx';

/** One line each: of which day a Region's figures are, and from where. */
function sourceLines({ regionCatalogs }: Pick<Catalogs, 'regionCatalogs'>, region: string): string[] {
  const { prices, instanceTypes } = regionCatalogs(region);
  const { asOf, source } = instanceTypes;
  const ofPrices = prices.sources.map(priceSourceText);
  return [
    ...(ofPrices.length === 0 ? [`There are no prices of ${sanitize(region)} on this page.`] : ofPrices),
    `Instance types, ${asOf}: ${sanitize(source, 200)}`,
  ];
}

/** What is in sight: of which days, and whether they come with the page. */
function DaysLine({ catalogs, region }: { catalogs: Catalogs; region: string }) {
  const { prices, instanceTypes } = catalogs.regionCatalogs(region);
  const days = prices.sources.map(({ part, asOf }) => `${part === 'ebs' ? 'EBS' : 'instances'} ${asOf}`);
  const names = catalogs.files.filter(({ regions }) => regions.includes(region)).map(({ name }) => name);
  return (
    <>
      Prices of {sanitize(region)}: {days.length === 0 ? 'not known' : days.join(', ')}; instance types{' '}
      {instanceTypes.asOf};{' '}
      {names.length === 0 ? (
        'as they come with stripewise'
      ) : (
        <Text value={`from ${fewOf(names)}`} most={200} />
      )}
      .
    </>
  );
}

interface PricesPanelProps {
  catalogs: Catalogs;
  /** Whose figures the tab uses now. */
  region: string;
  onFiles: (files: readonly PricesFile[]) => void;
}

export function PricesPanel({ catalogs, region, onFiles }: PricesPanelProps) {
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const isPrinting = usePrinting();
  const { files, notices } = catalogs;
  const take = async (picked: readonly File[]): Promise<void> => {
    setBusy(true);
    const [lines, found]: [string[], PricesFile[]] = [[], []];
    for (const file of picked) {
      try {
        const read = await readPicked(
          file,
          maxPricesMiB,
          '`aws pricing get-products` with a filter of one Region',
        );
        found.push(readPricesFile(read));
      } catch (error) {
        lines.push(
          error instanceof BadInput
            ? sanitize(error.message, 400)
            : `${sanitize(file.name)}: cannot be read: ${lineOf(error)}`,
        );
      }
    }
    onFiles(found.reduce<readonly PricesFile[]>(withFile, files));
    setProblems(lines);
    setBusy(false);
  };
  return (
    <details class="prices" open={isPrinting}>
      <summary>
        <DaysLine catalogs={catalogs} region={region} /> Sources, and other prices
      </summary>
      <ul aria-label="Sources">
        {sourceLines(catalogs, region).map((line) => (
          <li key={line}>
            <Text value={line} />
          </li>
        ))}
      </ul>
      <FileDrop
        label="Use prices of a file"
        hint={`What stripewise catalog refresh --region REGION --out FILE writes, or aws pricing get-products prints. Up to ${maxPricesMiB} MiB. It stays in this page.`}
        accept=".json,application/json"
        isBusy={isBusy}
        onFiles={(picked) => void take(picked)}
      />
      <ProblemLines lines={problems} onHide={() => setProblems([])} />
      {files.length === 0 ? null : (
        <ul aria-label="Files of prices">
          {files.map((file) => (
            <li key={`${file.kind} ${file.name}`}>
              <Text value={file.name} most={80} />: {sanitize(fewOf(file.regions), 200)}{' '}
              <button
                type="button"
                class="button tall no-print"
                aria-label={`Remove ${sanitize(file.name, 80)}`}
                onClick={() => onFiles(files.filter((one) => one !== file))}
              >
                Remove
              </button>
            </li>
          ))}
          {notices.map(({ name, notice }, index) => (
            <li key={index}>
              <Text value={`${name}: ${noticeText(notice)}`} most={600} />
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}
