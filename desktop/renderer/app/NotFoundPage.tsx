import { Link } from 'react-router-dom';
import { useDocumentTitle } from '#renderer/ui/Page.tsx';

export function NotFoundPage() {
  useDocumentTitle('Page Not Found');
  return (
    <div className="rs-empty">
      <h1>Page Not Found.</h1>
      <Link to="/">Home</Link>
    </div>
  );
}
