import { createRoot } from 'react-dom/client';
import { App } from './app/App.tsx';
import { startPage } from './start-page.ts';

const root = createRoot(document.getElementById('root')!);
void startPage().then(() => root.render(<App />));
