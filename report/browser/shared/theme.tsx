/** Light or dark: as the system has it, or as somebody chose, which this browser remembers where it may. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { dark, light, type Palette } from '../../charts/palette.ts';

const choices = ['auto', 'light', 'dark'] as const;
type Choice = (typeof choices)[number];

interface Theme {
  /** What is shown now. */
  name: 'light' | 'dark';
  choice: Choice;
  choose: (choice: Choice) => void;
  /** Of charts. */
  palette: Palette;
}

const key = 'stripewise-theme';
const words: Record<Choice, string> = { auto: 'Auto', light: 'Light', dark: 'Dark' };

/** A page from a disk or in a sandbox may not be allowed to remember. */
function remembered(): Choice {
  try {
    return choices.find((choice) => choice === localStorage.getItem(key)) ?? 'auto';
  } catch {
    return 'auto';
  }
}

function remember(choice: Choice): void {
  try {
    localStorage.setItem(key, choice);
  } catch {
    // It holds until the page is closed.
  }
}

const Context = createContext<Theme>({ name: 'light', choice: 'auto', choose: () => {}, palette: light });

export const useTheme = (): Theme => useContext(Context);

export function ThemeProvider({ children }: { children: ComponentChildren }) {
  const system = useMemo(() => matchMedia('(prefers-color-scheme: dark)'), []);
  const [choice, setChoice] = useState<Choice>(remembered);
  const [isSystemDark, setSystemDark] = useState(system.matches);
  useLayoutEffect(() => {
    const changed = (): void => setSystemDark(system.matches);
    system.addEventListener('change', changed);
    return () => system.removeEventListener('change', changed);
  }, [system]);
  const isDark = choice === 'dark' || (choice === 'auto' && isSystemDark);
  const name = isDark ? 'dark' : 'light';
  useLayoutEffect(() => {
    document.documentElement.dataset['theme'] = name;
  }, [name]);
  const theme = useMemo(
    (): Theme => ({
      name,
      choice,
      choose: (chosen) => {
        remember(chosen);
        setChoice(chosen);
      },
      palette: isDark ? dark : light,
    }),
    [name, choice, isDark],
  );
  return <Context.Provider value={theme}>{children}</Context.Provider>;
}

export function ThemeSwitch() {
  const { choice, choose } = useTheme();
  return (
    <fieldset class="switch no-print">
      <legend class="unseen">Theme</legend>
      {choices.map((one) => (
        <label key={one}>
          <input type="radio" name="theme" checked={choice === one} onChange={() => choose(one)} />
          <span>{words[one]}</span>
        </label>
      ))}
    </fieldset>
  );
}

export function PrintButton() {
  return (
    <button type="button" class="button no-print" onClick={() => print()}>
      Print
    </button>
  );
}
