<?php
// php -S localhost:4000 receiver.php
// The received bytes, before any JSON parser:
$body = file_get_contents('php://input');
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$entries = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');

$isGenuine = false;
// whsec_…, or several secrets separated by spaces
foreach (explode(' ', getenv('WEBHOOK_SECRET')) as $secret) {
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $digest = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
    $wanted = 'v1,' . base64_encode($digest);
    foreach ($entries as $entry) {
        $isGenuine = hash_equals($wanted, $entry) || $isGenuine;
    }
}
if ($id === '' || abs(time() - (int) $timestamp) > 300 || !$isGenuine) {
    http_response_code(400);
    exit;
}

$event = json_decode($body, true);
error_log("$id {$event['type']} " . json_encode($event['data']));
http_response_code(204);
