"""Which tools are taken for tools that only read, and by which rule."""

import pytest

from engine.read_only import ReadOnlyDecision, classify, decide_read_only

BFCL_READS = [
    ("math.factorial", "Calculate the factorial of a given number."),
    ("calculate_triangle_area", "Calculate the area of a triangle given its base and height."),
    ("get_nba_player_stats", "Retrieves statistics of an NBA player's career, including points and steals."),
    ("hotel_booking.check_availability", "Check room availability in a hotel based on certain criteria."),
    ("Alarm_1_GetAlarms", "Retrieve a list of alarms that the user has set in the system."),
    ("Movies_1_FindMovies", "Search for movies based on location, genre, and show type at specific theaters."),
    ("Flights_4_SearchRoundtripFlights", "Search for roundtrip flights based on specified criteria."),
    ("HNA_WQA.search", "Retrieve up-to-date information by searching the web using keywords."),
    ("EventQuery", "Search for calendar events that match a given text query within a user's calendar."),
    ("translate_text", "Translates a given text from one language to another."),
    ("recall_memory_search", "Search the conversation history for a specific string and return the results."),
    ("game_missions.list", "Retrieve a list of all available missions for a specific game."),
    ("__get_meeting_room_schedule", "Retrieve the booking details of specified meeting rooms."),
    ("weather_forecast", "Retrieve a weather forecast for a specific location."),
    ("library.search_book", "Search for a specific book in the library."),
    ("CalculateTax", "Calculates the tax of an income."),
    ("flight.status.check", "Checks the status of a flight."),
    ("get_record_price", "Get the price of a record and its seller."),
]
BFCL_CHANGES = [
    ("RideSharing_2_GetRide", "Book a cab to travel to the specified destination."),
    ("Trains_1_GetTrainTickets", "Reserve tickets for a train journey by providing journey details."),
    ("Payment_1_RequestPayment", "Initiates a payment request to a specified receiver."),
    ("Payment_1_MakePayment", "This function initiates a payment process to transfer money."),
    ("Services_1_BookAppointment", "This function books an appointment with a hair stylist or salon."),
    ("Homes_2_ScheduleVisit", "Schedules a property visit for a potential buyer or tenant."),
    ("Messaging_1_ShareLocation", "This function allows a user to share their location with a contact."),
    ("Media_3_PlayMovie", "Streams a selected movie online with the option to choose subtitles."),
    ("uber.eat.order", "Place an order for food delivery on Uber Eats."),
    ("cmd_controller.execute", "Executes a system-level command using os.system()."),
    ("look_at", "Orients the view to focus on a specific 3D coordinate in a virtual space."),
    ("get_random_event", "Selects a random activity based on the specified type."),
    ("finding_api.FindingApi.analyze_project", "Initiates a vulnerability analysis for the specified project."),
    ("todo.list_action", "A function to manage a todo list, including adding items or marking items."),
    ("validateApiResponse", "Analyzes a JSON payload, and triggers the corresponding processing."),
    ("database.create_backup", "This function creates a backup of the database before modification"),
    ("core_memory_replace", "Replaces the contents of a specific section in the core memory."),
    ("user_api.delete_managed_user", "This function permanently removes a user from the system."),
    ("uber.ride", "Finds a suitable Uber ride for customers based on their location."),
    ("generate_image", "Generate an image based on a given text prompt."),
]
DROIDCALL_READS = [
    ("get_contact_info", "Get the contact information based on the contact name and the key.\n"),
    ("get_contact_info_from_uri", "Get the contact information based on the contact URI and the key.\n"),
]
DROIDCALL_CHANGES = [
    ("ACTION_GET_CONTENT", "Let user select one or multilple file(s) of a specific type."),
    ("ACTION_GET_RINGTONE", "Let user select a ringtone and return the URI of the selected ringtone."),
    ("ACTION_SHOW_ALARMS", "Show the list of current alarms."),
    ("ACTION_VIEW_CONTACT", "Display the details for a known contact."),
    ("search_location", "Search for a location using a query string in a map application for user."),
    ("web_search", "Initiates a web search using the specified query."),
    ("dial", "Opens the dialer with a specified number in a phone app for user."),
    ("open_settings", "Opens a specific settings screen on the device."),
]
MCP_READS = [
    ("read_text_file", "Read the complete contents of a file from the file system as text."),
    ("mcp__filesystem__list_directory", "Get a detailed listing of all files and directories in a path."),
    ("search_files", "Recursively search for files and directories matching a pattern."),
    ("get_file_info", "Retrieve detailed metadata about a file or directory."),
    ("search_repositories", "Search for GitHub repositories"),
    ("list_commits", "Get list of commits of a branch in a GitHub repository"),
    ("get_pull_request_files", "Get the list of files changed in a pull request"),
    ("slack_get_channel_history", "Get recent messages from a channel"),
    ("slack_list_channels", "List public channels in the workspace with pagination"),
    ("read_graph", "Read the entire knowledge graph"),
    ("get_current_time", "Get current time in a specific timezones"),
    ("maps_distance_matrix", "Calculate travel distance and time for multiple origins and destinations"),
    ("list_tables", "Lists all tables in one or more schemas."),
    ("jira_get_issue", "Get details of a specific Jira issue."),
    ("describe_table", "Get the schema information for a specific table"),
]
MCP_CHANGES = [
    ("write_file", "Create a new file or completely overwrite an existing file with new content."),
    ("edit_file", "Make line-based edits to a text file."),
    ("create_directory", "Create a new directory or ensure a directory exists."),
    ("mcp__github__create_or_update_file", "Create or update a single file in a GitHub repository"),
    ("fork_repository", "Fork a GitHub repository to your account or specified organization"),
    ("merge_pull_request", "Merge a pull request"),
    ("slack_post_message", "Post a new message to a Slack channel"),
    ("delete_entities", "Delete multiple entities and their associated relations from the knowledge graph"),
    ("git_checkout", "Switches branches"),
    ("git_commit", "Records changes to the repository"),
    ("browser_navigate", "Navigate to a URL"),
    ("browser_evaluate", "Evaluate JavaScript expression on page or element"),
    ("puppeteer_screenshot", "Take a screenshot of the current page or a specific element"),
    ("execute_sql", "Executes raw SQL in the Postgres database."),
    ("write_query", "Execute an INSERT, UPDATE, or DELETE query on the SQLite database"),
    ("API-post-search", "Search by title"),
    ("get_or_create_customer", "Get a customer, or create one"),
]


@pytest.mark.parametrize(("name", "description"), [*BFCL_READS, *DROIDCALL_READS, *MCP_READS])
def test_real_tools_that_only_read(name, description):
    assert classify(name, description)


@pytest.mark.parametrize(("name", "description"), [*BFCL_CHANGES, *DROIDCALL_CHANGES, *MCP_CHANGES])
def test_real_tools_that_change_something_or_show_it(name, description):
    assert not classify(name, description)


NO_VERB = None
"""The words tell nothing, so the default decides."""


@pytest.mark.parametrize(
    ("name", "description", "told"),
    [
        ("get_weather", "", True),
        ("getWeather", "", True),
        ("GET_WEATHER", "", True),
        ("get-weather", "", True),
        ("math.sum", "", True),
        ("server__get_x", "", True),
        ("delete_bot__get_x", "", True),
        ("a/b:get_x", "", True),
        ("com.example.Notes#findNote", "", True),
        ("look_up_word", "", True),
        ("get_book_details", "", True),
        ("get_order", "Get an order", True),
        # A changing word late in a description is about something else.
        ("get_price", "Retrieve what it takes to buy a car", True),
        ("area", "Calculates the area", True),
        ("send_message", "", False),
        ("setAlarm", "", False),
        ("get_and_delete", "", False),
        ("get_and_book", "", False),
        ("find_and_book_flight", "Find a flight and book it", False),
        ("find_flight", "Find a flight and book it", False),
        ("get_user", "Get a user. Creates one where there is none.", False),
        ("get_ticket", "Book a ticket", False),
        ("get_page", "Publishes the page", False),
        ("get_copies", "Copies the page", False),
        ("get_flight", "Reserve and get a flight", False),
        ("get_light", "Used for controlling and switching off, and turning the light on", False),
        ("check_in_guest", "Check in a guest", False),
        ("convert_video", "Convert a video", False),
        ("look_at", "", False),
        ("order_status", "", False),
        ("purge_search_index", "", False),
        ("zap_search_index", "", NO_VERB),
        ("zap_search_index", "Zaps the search index", NO_VERB),
        ("get_ride", "Hails a cab", NO_VERB),
        ("get_taxi", "Ruft ein Taxi", NO_VERB),
        ("get_photo", "Get a photo with the camera", NO_VERB),
        ("area", "", NO_VERB),
        ("frobnicate", "Get the weather", NO_VERB),
        ("getaway", "", NO_VERB),
        ("天気", "", NO_VERB),
        ("", "", NO_VERB),
    ],
)
def test_words_of_name_and_description_tell(name, description, told):
    assert classify(name, description) is told


@pytest.mark.parametrize(
    ("stated", "name", "read_only", "rule"),
    [
        ({"override": True, "hint": False}, "delete_x", True, "override"),
        ({"override": False, "hint": True}, "get_x", False, "override"),
        ({"hint": True}, "delete_x", True, "annotation"),
        ({"hint": False}, "get_x", False, "annotation"),
        ({}, "get_x", True, "classifier"),
        ({}, "delete_x", False, "classifier"),
        ({}, "frobnicate", False, "default"),
        ({"words_tell": False}, "get_x", False, "default"),
        ({"words_tell": False, "override": True}, "get_x", True, "override"),
    ],
)
def test_the_first_rule_that_applies_decides(stated, name, read_only, rule):
    assert decide_read_only(name, "", **stated) == ReadOnlyDecision(read_only, rule)
