/** Starts a page: unpacks what it is made from, shows it, or says in one line why not. */
import { type ComponentChildren, render } from 'preact';
import { pageData } from './data.ts';
import { ThemeProvider } from './theme.tsx';

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** @param page what is shown of the data. */
export async function mount<Data>(page: (data: Data) => ComponentChildren): Promise<void> {
  const root = document.getElementById('page');
  if (root === null) return;
  try {
    const data = await pageData<Data>();
    render(<ThemeProvider>{page(data)}</ThemeProvider>, root);
  } catch (error) {
    render(
      <main class="page">
        <h1>This report cannot be shown</h1>
        <p role="alert">{messageOf(error)}</p>
      </main>,
      root,
    );
    throw error;
  }
}
