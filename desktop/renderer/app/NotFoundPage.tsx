import { Link } from 'react-router-dom';
import { EmptyState } from '#renderer/ui/states.tsx';
import { useDocumentTitle } from '#renderer/ui/Page.tsx';

export function NotFoundPage() {
  useDocumentTitle('Page Not Found');
  return <EmptyState title="Page Not Found." action={<Link to="/">Home</Link>} />;
}
