// Must be the first import: it loads the library's styles, which the styles of all components must follow.
import { startPage } from './start-page.ts';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';

const root = createRoot(document.getElementById('root')!);
void startPage().then(() => root.render(<App />));
