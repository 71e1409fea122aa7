// Before all parts: their styles come after those of the library.
import { startPage } from './start-page.ts';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';

const root = createRoot(document.getElementById('root')!);
void startPage().then(() => root.render(<App />));
