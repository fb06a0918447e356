/** Copies a text; where the page may not, the text is selected, so that a key does it. */
import { useEffect, useState } from 'preact/hooks';

interface CopyButtonProps {
  text: string;
  /** On the button. */
  label?: string;
  /** What is copied, for who does not see where the button stands. */
  what: string;
  /** Whose text is selected where nothing may be copied. */
  target: () => HTMLElement | null;
}

function select(element: HTMLElement | null): boolean {
  const selection = getSelection();
  if (element === null || selection === null) return false;
  selection.selectAllChildren(element);
  return true;
}

const shownMs = 4_000;

export function CopyButton({ text, label = 'Copy', what, target }: CopyButtonProps) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (said === '') return;
    const timer = setTimeout(() => setSaid(''), shownMs);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid('Copied');
    } catch {
      setSaid(select(target()) ? 'Selected: press Ctrl+C or Cmd+C' : 'This browser does not let a page copy');
    }
  };
  return (
    <span class="copy no-print">
      <button type="button" class="button small" aria-label={`Copy ${what}`} onClick={() => void copy()}>
        {label}
      </button>
      <span role="status">{said}</span>
    </span>
  );
}
